import type { FrozenPromptProvider, FrozenText } from "../context-provider";
import type { DocumentAccess } from "./in-memory-document";

export class InMemoryPrompt implements FrozenPromptProvider {
  #frozen: FrozenText | null;

  constructor(
    frozen: FrozenText | null = null,
    readonly access: DocumentAccess = {},
  ) {
    this.#frozen = frozen;
  }

  async get(): Promise<string | null> {
    return (await this.readFrozen())?.prompt ?? null;
  }

  async set(prompt: string): Promise<void> {
    await this.setFrozen({ prompt, versions: null });
  }

  async readFrozen(): Promise<FrozenText | null> {
    this.access.beforeRead?.();
    return this.#frozen;
  }

  async setFrozen(frozen: FrozenText): Promise<void> {
    this.access.beforeWrite?.();
    this.#frozen = frozen;
  }
}
