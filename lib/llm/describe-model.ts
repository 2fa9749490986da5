import { knownModel } from "./catalogue";
import { goesOnWith } from "./goes-on";
import type { ListedModel } from "./listed-model";
import {
  formatModelRef,
  freeOfCharge,
  type ModelCapabilities,
  type ModelInfo,
  type ModelPrice,
} from "./model-info";
import type { ModelProvider } from "./model-provider";
import { parameterRange } from "./parameter-range";
import { isHostedKind } from "./provider-kinds";
import type { ModelOverride } from "./provider-settings";
import { webSearchOf } from "./web-search";

/**
 * Merges known facts: the person's first, then the server's, then the catalogue's; `null` when unknown.
 *
 * @param unpriced what limits count for a model of the operator without a price.
 */
export function describeModel(
  provider: ModelProvider,
  listed: ListedModel,
  { override = {}, unpriced }: { override?: ModelOverride | undefined; unpriced: ModelPrice },
): ModelInfo {
  const known = knownModel(provider.kind, listed.id);
  const isLocal = provider.kind === "local";
  const given = listed.price ?? known?.price ?? (isLocal ? freeOfCharge : null);
  const price = override.price === undefined ? given : override.price;
  const charged = given ?? (provider.isOwn ? (price ?? freeOfCharge) : unpriced);
  const maxOutput = override.maxOutput ?? listed.maxOutput ?? known?.maxOutput ?? null;
  const capabilities = capabilitiesOf(provider, known?.reasoning ?? false, listed, override);
  const without = override.without ?? [];
  return {
    ref: formatModelRef({ provider: provider.id, modelId: listed.id }),
    label: override.label ?? known?.label ?? listed.label ?? listed.id,
    provider: provider.id,
    providerLabel: provider.label,
    contextWindow: override.contextWindow ?? listed.contextWindow ?? known?.contextWindow ?? null,
    maxOutput,
    price,
    ...(charged !== price && { charged }),
    isDemo: false,
    isLocal,
    capabilities,
    ...(without.length > 0 && { without }),
    parameters: parameterRange(provider, {
      id: listed.id,
      reasoning: capabilities.reasoning,
      maxOutput,
      supported: listed.parameters,
    }),
    ...(goesOnWith(provider, listed.id) && { goesOn: true }),
    ...webSearchOf(provider, listed.id),
  };
}

function capabilitiesOf(
  { kind }: ModelProvider,
  reasoning: boolean,
  listed: ListedModel,
  override: ModelOverride,
): ModelCapabilities {
  const said = { ...listed.capabilities, ...defined(override.capabilities ?? {}) };
  const known = isHostedKind(kind) || null;
  return { tools: known, reasoning, images: known, pdfs: known, ...said };
}

function defined(
  capabilities: NonNullable<ModelOverride["capabilities"]>,
): Partial<ModelCapabilities> {
  return Object.fromEntries(
    Object.entries(capabilities).filter(([, value]) => value !== undefined),
  );
}
