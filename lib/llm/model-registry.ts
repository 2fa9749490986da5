import { configuredProviders } from "./configured-providers";
import { localSource } from "./local-source";
import { type ModelInfo, parseModelRef } from "./model-info";
import { hostedLabel, isHostedKind, type ProviderProblem } from "./model-provider";
import { type FallbackSource, ModelUnavailableError, type ResolvedModel } from "./model-source";
import {
  type Environment,
  environmentProviders,
  keyVariable,
  type ModelSettings,
} from "./provider-settings";
import { providerSource } from "./provider-source";

/** The models a person can choose from, made from what is configured and what is found. */
export type ModelRegistry = {
  /** Every model that can be chosen now: configured providers, then this machine, then the demo. Never fails. */
  listModels(): Promise<ModelInfo[]>;
  /**
   * The model to use when nobody chose one: the first of a provider that answers, else the first of one that does not
   * just now, else the demo. A provider that fails says so; scripted answers in its place would not.
   */
  defaultModel(): Promise<ModelInfo>;
  /**
   * The model of that name.
   *
   * @throws {ModelUnavailableError} when its provider is unknown, has no key or is not running.
   */
  resolve(ref: string): Promise<ResolvedModel>;
  /** What is wrong with the configuration, and which providers did not list their models when last asked. */
  problems(): readonly ProviderProblem[];
};

/** Where models come from: the environment, and what the person stored. */
export type ModelRegistryOptions = {
  readonly environment: Environment;
  /** What the person stored; it comes before the environment. */
  readonly settings?: ModelSettings;
  /** Listed last, and the default only when nothing else is set up. */
  readonly fallback: FallbackSource;
  readonly fetch?: typeof globalThis.fetch;
  /** The current time in milliseconds. */
  readonly now?: () => number;
};

/** Makes a registry; make another when settings change. */
export function createModelRegistry(options: ModelRegistryOptions): ModelRegistry {
  const { environment, settings, fallback, fetch = globalThis.fetch, now = Date.now } = options;
  const fromEnvironment = environmentProviders(environment);
  const providers = configuredProviders(settings?.providers ?? [], fromEnvironment.providers);
  const shared = { environment, overrides: settings?.overrides ?? {}, fetch, now };
  const sources = [
    ...providers.map((provider) => providerSource(provider, shared)),
    localSource(shared),
    fallback,
  ];

  async function listModels(): Promise<ModelInfo[]> {
    return (await Promise.all(sources.map((source) => source.listModels()))).flat();
  }

  async function defaultModel(): Promise<ModelInfo> {
    const real = (await listModels()).filter(({ isDemo }) => !isDemo);
    const silent = new Set(sources.map((source) => source.problem()?.provider));
    const answering = real.find(({ ref }) => !silent.has(parseModelRef(ref)?.provider));
    return answering ?? real[0] ?? fallback.info;
  }

  /** The service a ref means without naming an account, when none goes by its plain name. */
  function namedProvider(id: string): string | undefined {
    if (!isHostedKind(id) || providers.some((provider) => provider.id === id)) return undefined;
    return providers.find(({ kind }) => kind === id)?.id;
  }

  return {
    listModels,
    defaultModel,
    resolve: async (name) => {
      const ref = parseModelRef(name);
      const provider = ref && (namedProvider(ref.provider) ?? ref.provider);
      const source = provider && sources.find(({ answersFor }) => answersFor(provider));
      if (!source) throw unavailable(name, ref?.provider ?? null);
      return source.resolve({ ...ref, provider });
    },
    problems: () => [
      ...fromEnvironment.problems,
      ...sources.map((source) => source.problem()).filter((problem) => problem !== null),
    ],
  };
}

function unavailable(name: string, provider: string | null): ModelUnavailableError {
  if (provider === null) {
    const message = `“${name}” does not name a model. A name looks like “openai/gpt-5”; choose one from the list.`;
    return new ModelUnavailableError("invalid-ref", name, message);
  }
  if (isHostedKind(provider)) {
    const message = `There is no API key for ${hostedLabel(provider)}. Add one in Settings → Models and keys, or set ${keyVariable(provider)}.`;
    return new ModelUnavailableError("missing-key", name, message);
  }
  const message = `The provider “${provider}” is not set up. Add it in Settings → Models and keys, or choose another model.`;
  return new ModelUnavailableError("unknown-provider", name, message);
}
