import { configuredProviders } from "./configured-providers";
import { localOllama, localSource } from "./local-source";
import { type ModelInfo, parseModelRef, unpricedModel } from "./model-info";
import { type ModelLimits, modelLimits } from "./model-limits";
import type { ModelProvider, ProviderProblem } from "./model-provider";
import {
  type AutomaticRule,
  type FallbackSource,
  ModelUnavailableError,
  type ResolvedEmbeddings,
  type ResolvedModel,
} from "./model-source";
import { isOllama, type OllamaServer } from "./ollama";
import { isHostedKind, kindFacts } from "./provider-kinds";
import { presetFacts, presetOf } from "./provider-presets";
import {
  type Environment,
  environmentProviders,
  readStoredSettings,
  type StoredModelSettings,
} from "./provider-settings";
import { providerSource } from "./provider-source";

export type ModelRegistry = {
  listModels(): Promise<ModelInfo[]>;
  /** A failing provider's model comes before the demo, whose scripted answers would hide the error. */
  defaultModel(): Promise<ModelInfo>;
  automaticModel(): Promise<{ model: ModelInfo; rule: AutomaticRule }>;
  resolve(ref: string): Promise<ResolvedModel>;
  embeddings(ref: string): Promise<ResolvedEmbeddings | null>;
  problems(): readonly ProviderProblem[];
  leftOut(): readonly ProviderProblem[];
  unlisted(): readonly Pick<ProviderProblem, "provider" | "providerLabel">[];
  ollamaServers(): Promise<readonly OllamaServer[]>;
};

export type ModelRegistryOptions = {
  readonly environment: Environment;
  readonly settings?: StoredModelSettings;
  readonly fallback: FallbackSource;
  readonly fetch?: typeof globalThis.fetch;
  readonly ownFetch?: typeof globalThis.fetch;
  readonly now?: () => number;
  readonly limits?: ModelLimits;
};

/** Reads the settings once: a change needs another registry. */
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
  const fetchFor = ({ hasOwnAddress }: ModelProvider) => (hasOwnAddress ? ownFetch : fetch);
  const sources = [
    ...providers.map((provider) =>
      providerSource(provider, { ...shared, fetch: fetchFor(provider) }),
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

  function unlisted() {
    const incomplete = [...silent(), ...leftOut()];
    const others = providers.filter(({ id, baseUrl }) => {
      const preset = presetOf(baseUrl);
      const isNamed = incomplete.some(({ provider }) => provider === id);
      return preset !== null && presetFacts(preset).isUnlisted && !isNamed;
    });
    return [
      ...incomplete,
      ...others.map(({ id, label }) => ({ provider: id, providerLabel: label })),
    ];
  }

  async function ollamaServers(): Promise<OllamaServer[]> {
    const others = providers.filter(
      ({ kind, baseUrl }) => kind === "compatible" && [null, "ollama"].includes(presetOf(baseUrl)),
    );
    const local = localOllama(environment);
    const asked = [...(local ? [local] : []), ...others].map((provider) => {
      return { provider, fetch: fetchFor(provider) };
    });
    const answers = await Promise.all(asked.map(isOllama));
    return asked.filter((_, at) => answers[at]);
  }

  function namedProvider(id: string): string | undefined {
    if (!isHostedKind(id) || providers.some((provider) => provider.id === id)) return undefined;
    return providers.find(({ kind }) => kind === id)?.id;
  }

  function sourceOf(name: string) {
    const ref = parseModelRef(name);
    const provider = ref && (namedProvider(ref.provider) ?? ref.provider);
    const source = provider && sources.find(({ answersFor }) => answersFor(provider));
    if (!source) throw unavailable(name, ref?.provider ?? null);
    return { source, ref: { ...ref, provider } };
  }

  return {
    listModels,
    automaticModel,
    defaultModel: async () => (await automaticModel()).model,
    resolve: async (name) => {
      const { source, ref } = sourceOf(name);
      return source.resolve(ref);
    },
    embeddings: async (name) => {
      const { source, ref } = sourceOf(name);
      return source.embeddings(ref);
    },
    problems: () => [...stored.problems, ...fromEnvironment.problems, ...silent()],
    leftOut,
    unlisted,
    ollamaServers,
  };
}

function unavailable(name: string, provider: string | null): ModelUnavailableError {
  if (provider === null) {
    const message = `“${name}” does not name a model. A name looks like “openai/gpt-5”; choose one from the list.`;
    return new ModelUnavailableError("invalid-ref", name, message);
  }
  if (isHostedKind(provider)) {
    const { label, variables } = kindFacts(provider);
    const message = `There is no API key for ${label}. Add one in Settings → Models, or set ${variables.apiKey}.`;
    return new ModelUnavailableError("missing-key", name, message);
  }
  const message = `The provider “${provider}” is not set up. Add it in Settings → Models, or choose another model.`;
  return new ModelUnavailableError("unknown-provider", name, message);
}
