import { knownModel } from "./catalogue";
import { goesOnWith } from "./goes-on";
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
 * The person's facts come first, then the server's, then the catalogue's.
 *
 * @param unpriced price that limits count for an operator's model without one.
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
  provider: ModelProvider,
  reasoning: boolean,
  listed: ListedModel,
  override: ModelOverride,
): ModelCapabilities {
  const said = { ...listed.capabilities, ...defined(override.capabilities ?? {}) };
  const known = isHostedKind(provider.kind) || null;
  return {
    ...{ tools: known, reasoning, images: known, pdfs: known, ...said },
    ...(takesResultImages(provider) && { resultImages: true }),
  };
}

/** The others' formats have texts alone for results of tools. */
function takesResultImages({ kind, api }: ModelProvider): boolean {
  return kind === "anthropic" || kind === "google" || (kind === "openai" && api !== "chat");
}

function defined(
  capabilities: NonNullable<ModelOverride["capabilities"]>,
): Partial<ModelCapabilities> {
  return Object.fromEntries(
    Object.entries(capabilities).filter(([, value]) => value !== undefined),
  );
}

export type ListedModel = {
  readonly id: string;
  readonly label?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  readonly parameters?: readonly string[] | undefined;
  readonly ownedBy?: string | undefined;
};

export interface ListedModels {
  readonly models: readonly ListedModel[];
  readonly leftOut: number;
}
