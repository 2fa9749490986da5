import type { PersonId } from "@/lib/chat/core/person-in-space";
import { RecentMap } from "@/lib/chat/core/recent-map";
import type { SecretSealer, SettingsOwner } from "@/lib/chat/core/settings-store";
import {
  createModelRegistry,
  type Environment,
  type FallbackSource,
  type ModelChoice,
  type ModelInfo,
  type ModelRegistry,
  ModelUnavailableError,
  type ResolvedModel,
} from "@/lib/llm";
import { readModelSettings } from "./providers";

interface KnownRegistry {
  readonly environment: Environment;
  readonly registry: Promise<ModelRegistry>;
}

export class Models {
  readonly #environment: (personId: PersonId) => Promise<Environment>;
  readonly #fetchOf: ((personId: PersonId) => typeof fetch) | undefined;
  readonly #sealer: SecretSealer;
  readonly #fallback: FallbackSource;
  readonly #registries = new RecentMap<PersonId, KnownRegistry>({ most: 500 });

  constructor(options: {
    environment: (personId: PersonId) => Promise<Environment>;
    fetchOf?: (personId: PersonId) => typeof fetch;
    sealer: SecretSealer;
    fallback: FallbackSource;
  }) {
    this.#environment = options.environment;
    this.#fetchOf = options.fetchOf;
    this.#sealer = options.sealer;
    this.#fallback = options.fallback;
  }

  async registry(owner: SettingsOwner): Promise<ModelRegistry> {
    const environment = await this.#environment(owner.personId);
    const known = this.#registries.get(owner.personId);
    if (known?.environment === environment) return known.registry;
    const registry = this.#make(owner, environment);
    const made = { environment, registry };
    this.#registries.set(owner.personId, made);
    registry.catch(() => {
      if (this.#registries.get(owner.personId) === made) this.#registries.delete(owner.personId);
    });
    return registry;
  }

  forget(personId: PersonId): void {
    this.#registries.delete(personId);
  }

  /** The model that is asked for, else the project's default, else the person's, else the automatic one. */
  async choose(
    owner: SettingsOwner,
    ref: string | null,
    { ofProject = null }: { readonly ofProject?: string | null } = {},
  ): Promise<ResolvedModel> {
    const registry = await this.registry(owner);
    if (ref !== null) return registry.resolve(ref);
    if (ofProject !== null) {
      const resolved = await registry.resolve(ofProject).catch(nullIfGone);
      if (resolved) return { ...resolved, choice: "project" };
    }
    const chosen = await this.defaultModel(owner);
    return { ...(await registry.resolve(chosen.ref)), choice: chosen.choice };
  }

  async defaultModel(owner: SettingsOwner): Promise<{ ref: string; choice: ModelChoice }> {
    const registry = await this.registry(owner);
    const { defaultModel } = await owner.settings.read();
    if (typeof defaultModel === "string" && (await canResolve(registry, defaultModel)))
      return { ref: defaultModel, choice: "default" };
    const { model, rule } = await registry.automaticModel();
    return { ref: model.ref, choice: rule };
  }

  async #make(owner: SettingsOwner, environment: Environment): Promise<ModelRegistry> {
    const ownFetch = this.#fetchOf?.(owner.personId);
    return createModelRegistry({
      environment,
      ...(ownFetch && { ownFetch }),
      settings: await readModelSettings(owner, this.#sealer),
      fallback: this.#fallback,
    });
  }
}

const assumedContextWindow = 32_000;

export function contextWindowOf({ contextWindow }: Pick<ModelInfo, "contextWindow">): number {
  return contextWindow ?? assumedContextWindow;
}

function canResolve(registry: ModelRegistry, ref: string): Promise<boolean> {
  return registry.resolve(ref).then(
    () => true,
    (error) => !isGone(error),
  );
}

/** Another model answers for one that is gone, never for a local one that is not running: it may have been chosen to keep words here. */
export function nullIfGone(error: unknown): null {
  if (isGone(error)) return null;
  throw error;
}

function isGone(error: unknown): boolean {
  return error instanceof ModelUnavailableError && error.code !== "local-server-down";
}
