import { exampleSessionId } from "@/lib/chat/core/example-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import {
  memoryModeIn,
  modelMarksIn,
  type SettingsStore,
  searchAddressIn,
} from "@/lib/chat/core/settings-store";
import { policyIn } from "@/lib/chat/tools/owner-tools";
import type {
  ModelsWire,
  ModelWire,
  ProviderSettingWire,
  SettingsWire,
} from "@/lib/chat/wire/settings";
import { readPageName, webSearchName } from "@/lib/chat/wire/tools";
import {
  type Environment,
  environmentProviders,
  type ModelInfo,
  type ProviderProblem,
  pricesReadOn,
  providerLabel,
} from "@/lib/llm";
import { featureMarksIn } from "./model-features";
import { overridesIn } from "./model-overrides";
import type { Models } from "./models";
import { contextWindowOf } from "./models";
import { keyHint, storedProviders } from "./providers";

interface Installation {
  readonly environment: Environment;
  readonly version: string;
  readonly dataLocation: string | null;
}

interface ViewOwner extends OwnerData {
  readonly settings: SettingsStore;
}

export async function modelsView(models: Models, owner: ViewOwner): Promise<ModelsWire> {
  const registry = await models.registry(owner);
  const [list, chosen, settings] = await Promise.all([
    registry.listModels(),
    models.defaultModel(owner),
    owner.settings.read(),
  ]);
  const { isFavorite, isHidden } = modelMarksIn(settings);
  const marksOf = featureMarksIn(settings);
  return {
    models: list.map((model) => ({
      ...modelWire(model),
      features: marksOf(model.ref),
      isFavorite: isFavorite(model.ref),
      isHidden: isHidden(model.ref),
    })),
    defaultModel: chosen.ref,
    defaultChoice: chosen.choice,
    pricesReadOn,
    problems: registry.problems().map(problemWire),
    leftOut: registry.leftOut().map(problemWire),
    web: {
      search: policyIn(settings, webSearchName),
      readPages: policyIn(settings, readPageName),
      hasServer: searchAddressIn(settings) !== null,
    },
    unlisted: registry
      .unlisted()
      .map(({ provider, providerLabel: label }) => ({ provider, label })),
  };
}

function problemWire({ provider, providerLabel: label, message }: ProviderProblem) {
  return { provider, label, message };
}

function modelWire(model: ModelInfo): Omit<ModelWire, "isFavorite" | "isHidden" | "features"> {
  const { ref, label, providerLabel, contextWindow, price, isDemo, isLocal, capabilities } = model;
  return {
    ref,
    label,
    provider: providerLabel,
    contextWindow: contextWindowOf(model),
    isWindowAssumed: contextWindow === null,
    maxOutput: model.maxOutput,
    price: price && {
      inputPerMillion: price.inputPerMillion,
      outputPerMillion: price.outputPerMillion,
    },
    isDemo,
    isLocal,
    takes: { images: capabilities.images, pdfs: capabilities.pdfs },
    tools: capabilities.tools,
    reasoning: capabilities.reasoning,
    searchesWeb: model.webSearch !== undefined,
    parameters: model.parameters ?? {},
  };
}

export async function settingsView(
  { environment, version, dataLocation }: Installation,
  owner: ViewOwner,
): Promise<SettingsWire> {
  const [stored, settings, example] = await Promise.all([
    storedProviders(owner),
    owner.settings.read(),
    owner.store.sessions.get(exampleSessionId),
  ]);
  return {
    providers: [
      ...stored.map(({ id, provider, name, baseUrl, keyHint }) => {
        return { id, provider, name, baseUrl, keyHint, fromEnvironment: false };
      }),
      ...fromEnvironment(environment),
    ],
    defaultModel: typeof settings.defaultModel === "string" ? settings.defaultModel : null,
    memoryMode: memoryModeIn(settings),
    searchAddress: searchAddressIn(settings),
    modelOverrides: overridesIn(settings),
    example: { sessionId: exampleSessionId, exists: example !== null },
    version,
    dataLocation,
  };
}

function fromEnvironment(environment: Environment): ProviderSettingWire[] {
  return environmentProviders(environment).providers.map(({ provider, name, baseUrl, apiKey }) => ({
    id: `environment-${provider}`,
    provider,
    name: providerLabel({ provider, name, baseUrl }),
    baseUrl: baseUrl ?? null,
    keyHint: apiKey === undefined ? null : keyHint(apiKey),
    fromEnvironment: true,
  }));
}
