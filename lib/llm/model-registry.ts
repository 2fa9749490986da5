import { configuredProviders } from "./configured-providers";
import { localSource } from "./local-source";
import { type ModelInfo, parseModelRef, unpricedModel } from "./model-info";
import { type ModelLimits, modelLimits } from "./model-limits";
import type { ProviderProblem } from "./model-provider";
import {
  type AutomaticRule,
  type FallbackSource,
  ModelUnavailableError,
  type ResolvedModel,
} from "./model-source";
import { isHostedKind, kindFacts } from "./provider-kinds";
import {
  type Environment,
  environmentProviders,
  readStoredSettings,
  type StoredModelSettings,
} from "./provider-settings";
import { providerSource } from "./provider-source";

export type ModelRegistry = {
  /** Configured providers, then local servers, then the demo. Never fails. */
  listModels(): Promise<ModelInfo[]>;
  /**
   * The first of an answering provider, else of a failing one, whose error scripted answers would hide; else the demo.
   */
  defaultModel(): Promise<ModelInfo>;
  /** The same, with the rule that chose it. */
  automaticModel(): Promise<{ model: ModelInfo; rule: AutomaticRule }>;
  /** @throws {ModelUnavailableError} when its provider is unknown, has no key or is not running. */
  resolve(ref: string): Promise<ResolvedModel>;
  /** Includes providers that failed to list their models. */
  problems(): readonly ProviderProblem[];
  /** Of the last lists: entries that could not be read. */
  leftOut(): readonly ProviderProblem[];
  /** Those whose lists are known to lack models, by id; any name can be asked of them. */
  unlisted(): readonly Pick<ProviderProblem, "provider" | "providerLabel">[];
};

export type ModelRegistryOptions = {
  readonly environment: Environment;
  /** Takes precedence over the environment. */
  readonly settings?: StoredModelSettings;
  /** Listed last; the default only when nothing else is set up. */
  readonly fallback: FallbackSource;
  readonly fetch?: typeof globalThis.fetch;
  /** For addresses of the stored settings. Default: `fetch`. */
  readonly ownFetch?: typeof globalThis.fetch;
  /** In milliseconds. */
  readonly now?: () => number;
  /** Default: the environment's. */
  readonly limits?: ModelLimits;
};

/** Create another when settings change. */
export function createModelRegistry(options: ModelRegistryOptions): ModelRegistry {
  const { environment, fallback, fetch = globalThis.fetch, now = Date.now } = options;
  const { ownFetch = fetch } = options;
  const stored = readStoredSettings(options.settings ?? { providers: [], overrides: {} });
  const fromEnvironment = environmentProviders(environment);
  const providers = configuredProviders(stored.settings.providers, fromEnvironment.providers);
  const { limits = modelLimits(environment) } = options;
  const { overrides } = stored.settings;
  const unpriced = unpricedModel(environment);
  const shared = { environment, overrides, unpriced, fetch, now, limits };
  const sources = [
    ...providers.map((provider) =>
      providerSource(provider, provider.hasOwnAddress ? { ...shared, fetch: ownFetch } : shared),
    ),
    localSource(shared),
    fallback,
  ];

  async function listModels(): Promise<ModelInfo[]> {
    return (await Promise.all(sources.map((source) => source.listModels()))).flat();
  }

  async function automaticModel(): Promise<{ model: ModelInfo; rule: AutomaticRule }> {
    const real = (await listModels()).filter(({ isDemo }) => !isDemo);
    const silentIds = new Set<string | undefined>(silent().map(({ provider }) => provider));
    const answering = real.find(({ ref }) => !silentIds.has(parseModelRef(ref)?.provider));
    if (answering) return { model: answering, rule: "first-answering" };
    const [model] = real;
    return model ? { model, rule: "first-set-up" } : { model: fallback.info, rule: "demo" };
  }

  const silent = () =>
    sources.map((source) => source.problem()).filter((problem) => problem !== null);
  const leftOut = () => sources.flatMap((source) => source.leftOut());

  function namedProvider(id: string): string | undefined {
    if (!isHostedKind(id) || providers.some((provider) => provider.id === id)) return undefined;
    return providers.find(({ kind }) => kind === id)?.id;
  }

  return {
    listModels,
    automaticModel,
    defaultModel: async () => (await automaticModel()).model,
    resolve: async (name) => {
      const ref = parseModelRef(name);
      const provider = ref && (namedProvider(ref.provider) ?? ref.provider);
      const source = provider && sources.find(({ answersFor }) => answersFor(provider));
      if (!source) throw unavailable(name, ref?.provider ?? null);
      return source.resolve({ ...ref, provider });
    },
    problems: () => [...stored.problems, ...fromEnvironment.problems, ...silent()],
    leftOut,
    unlisted: () => [...silent(), ...leftOut()],
  };
}

function unavailable(name: string, provider: string | null): ModelUnavailableError {
  if (provider === null) {
    const message = `“${name}” does not name a model. A name looks like “openai/gpt-5”; choose one from the list.`;
    return new ModelUnavailableError("invalid-ref", name, message);
  }
  if (isHostedKind(provider)) {
    const { label, variables } = kindFacts(provider);
    const message = `There is no API key for ${label}. Add one in Settings → Models and keys, or set ${variables.apiKey}.`;
    return new ModelUnavailableError("missing-key", name, message);
  }
  const message = `The provider “${provider}” is not set up. Add it in Settings → Models and keys, or choose another model.`;
  return new ModelUnavailableError("unknown-provider", name, message);
}
