import type { WritableContextProvider } from "@/lib/session/context-provider";
import { Lanes } from "@/lib/session/lanes";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { ContextBlocks } from "./context-blocks";
import { type BlockChange, changedBlocks, renderPrompt } from "./prompt";

export interface FrozenPromptOptions {
  readonly blocks: ContextBlocks;
  /** Where the prompt is kept; in memory when omitted. */
  readonly cache?: WritableContextProvider | undefined;
  /** Awaited before the prompt is kept, for storage that has to be prepared. */
  readonly beforeWrite?: (() => MaybePromise<void>) | undefined;
}

/**
 * The system prompt of a session, rendered once and kept, so that model providers can reuse what they have read.
 *
 * A prompt in which a block could not be read is used but not kept.
 */
export class FrozenPrompt {
  readonly #options: FrozenPromptOptions;
  readonly #cache: WritableContextProvider;
  readonly #rendering = new Lanes();

  constructor(options: FrozenPromptOptions) {
    this.#options = options;
    this.#cache = options.cache ?? memoryCache();
  }

  /** The kept prompt; renders and keeps it the first time. */
  freeze(): Promise<string> {
    return this.#rendering.run("", async () => (await this.#cache.get()) ?? this.#render());
  }

  /** Renders from the blocks as they are now, and keeps that. */
  refresh(): Promise<string> {
    return this.#rendering.run("", () => this.#render());
  }

  /** What differs between the kept prompt and the blocks now; nothing before the first freeze. */
  async changes(): Promise<BlockChange[]> {
    const frozen = await this.#cache.get();
    return frozen === null ? [] : changedBlocks(frozen, await this.#options.blocks.getAll());
  }

  async #render(): Promise<string> {
    const blocks = await this.#options.blocks.getAll();
    const prompt = renderPrompt(blocks);
    if (blocks.some((block) => block.error !== undefined)) return prompt;
    await this.#options.beforeWrite?.();
    await this.#cache.set(prompt);
    return prompt;
  }
}

function memoryCache(): WritableContextProvider {
  let kept: string | null = null;
  return {
    get: () => kept,
    set: (prompt) => {
      kept = prompt;
    },
  };
}
