import {
  createModelRegistry,
  type FallbackSource,
  type ModelRegistry,
  type ResolvedModel,
} from "@/lib/llm";
import { readModelSettings } from "./providers";
import type { SecretSealer, SettingsOwner } from "./settings-store";

/** The models of each owner, from the environment and from the owner's providers. */
export class Models {
  readonly #environment: Record<string, string | undefined>;
  readonly #sealer: SecretSealer;
  readonly #fallback: FallbackSource;
  readonly #registries = new Map<string, Promise<ModelRegistry>>();

  constructor(options: {
    environment: Record<string, string | undefined>;
    sealer: SecretSealer;
    fallback: FallbackSource;
  }) {
    this.#environment = options.environment;
    this.#sealer = options.sealer;
    this.#fallback = options.fallback;
  }

  registry(owner: SettingsOwner): Promise<ModelRegistry> {
    const known = this.#registries.get(owner.ownerId);
    if (known) return known;
    const made = this.#make(owner).catch((error: unknown) => {
      this.#registries.delete(owner.ownerId);
      throw error;
    });
    this.#registries.set(owner.ownerId, made);
    return made;
  }

  /** Call after an owner's settings have changed. */
  forget(ownerId: string): void {
    this.#registries.delete(ownerId);
  }

  /** The requested model, the owner's default, or the first available. @throws {ModelUnavailableError} */
  async choose(owner: SettingsOwner, ref: string | null): Promise<ResolvedModel> {
    const registry = await this.registry(owner);
    return registry.resolve(ref ?? (await this.defaultRef(owner)));
  }

  /** The owner's choice, unless its provider is gone; then the automatic one. */
  async defaultRef(owner: SettingsOwner): Promise<string> {
    const registry = await this.registry(owner);
    const { defaultModel } = await owner.settings.read();
    if (typeof defaultModel === "string" && (await canResolve(registry, defaultModel)))
      return defaultModel;
    return (await registry.defaultModel()).ref;
  }

  async #make(owner: SettingsOwner): Promise<ModelRegistry> {
    return createModelRegistry({
      environment: this.#environment,
      settings: await readModelSettings(owner, this.#sealer),
      fallback: this.#fallback,
    });
  }
}

function canResolve(registry: ModelRegistry, ref: string): Promise<boolean> {
  return registry.resolve(ref).then(
    () => true,
    () => false,
  );
}
