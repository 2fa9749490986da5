import {
  createModelRegistry,
  type ModelRegistry,
  type ModelSettings,
  modelSettingsSchema,
  type ResolvedModel,
} from "@/lib/llm";
import { readModelSettings } from "./model-settings";
import type { OwnerServices } from "./owner-services";

/** The models of each owner: what the environment gives everybody, and what the owner has set. */
export class Models {
  readonly #environment: Record<string, string | undefined>;
  readonly #secretsKeyFile: string;
  readonly #registries = new Map<string, Promise<ModelRegistry>>();

  constructor(options: {
    environment: Record<string, string | undefined>;
    secretsKeyFile: string;
  }) {
    this.#environment = options.environment;
    this.#secretsKeyFile = options.secretsKeyFile;
  }

  registry(owner: OwnerServices): Promise<ModelRegistry> {
    const known = this.#registries.get(owner.ownerId);
    if (known) return known;
    const made = this.#make(owner).catch((error: unknown) => {
      this.#registries.delete(owner.ownerId);
      throw error;
    });
    this.#registries.set(owner.ownerId, made);
    return made;
  }

  /** To be called after settings of an owner have changed. */
  forget(ownerId: string): void {
    this.#registries.delete(ownerId);
  }

  /** The model asked for, or the owner's default, or the first there is. @throws {ModelUnavailableError} */
  async choose(owner: OwnerServices, ref: string | null): Promise<ResolvedModel> {
    const registry = await this.registry(owner);
    return registry.resolve(ref ?? (await this.defaultRef(owner)));
  }

  /** What the owner chose, unless its provider is gone: then what Grove would choose. */
  async defaultRef(owner: OwnerServices): Promise<string> {
    const registry = await this.registry(owner);
    const { defaultModel } = await owner.settings.read();
    if (typeof defaultModel === "string" && (await canResolve(registry, defaultModel)))
      return defaultModel;
    return (await registry.defaultModel()).ref;
  }

  async #make(owner: OwnerServices): Promise<ModelRegistry> {
    const stored: ModelSettings = modelSettingsSchema.parse(
      await readModelSettings(owner, this.#secretsKeyFile),
    );
    return createModelRegistry({ environment: this.#environment, settings: stored });
  }
}

function canResolve(registry: ModelRegistry, ref: string): Promise<boolean> {
  return registry.resolve(ref).then(
    () => true,
    () => false,
  );
}
