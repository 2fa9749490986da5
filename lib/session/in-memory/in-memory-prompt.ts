import type { FrozenPromptProvider, FrozenText } from "@/lib/session/context-provider";

export class InMemoryPrompt implements FrozenPromptProvider {
  #frozen: FrozenText | null;

  constructor(frozen: FrozenText | null = null) {
    this.#frozen = frozen;
  }

  async get(): Promise<string | null> {
    return this.#frozen?.prompt ?? null;
  }

  async set(prompt: string): Promise<void> {
    this.#frozen = { prompt, versions: null };
  }

  async readFrozen(): Promise<FrozenText | null> {
    return this.#frozen;
  }

  async setFrozen(frozen: FrozenText): Promise<void> {
    this.#frozen = frozen;
  }
}
