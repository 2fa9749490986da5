import {
  type FrozenText,
  type FrozenVersions,
  isFrozenPromptProvider,
  type WritableContextProvider,
} from "@/lib/session/context-provider";
import { InMemoryPrompt } from "@/lib/session/in-memory/in-memory-prompt";
import { Lanes } from "@/lib/session/lanes";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { ContextBlock } from "./context-block";
import type { ContextBlocks } from "./context-blocks";
import {
  type BlockChange,
  changedBlocks,
  isAsRendered,
  renderPrompt,
  unavailableLabels,
} from "./prompt";

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
 * A block that could not be read stands in it as unavailable, since a source that is away for long would otherwise have
 * every turn begin with another prompt. As soon as it can be read the prompt is rendered anew.
 */
export class FrozenPrompt {
  readonly #options: FrozenPromptOptions;
  readonly #cache: WritableContextProvider;
  readonly #rendering = new Lanes();

  constructor(options: FrozenPromptOptions) {
    this.#options = options;
    this.#cache = options.cache ?? new InMemoryPrompt();
  }

  /** The kept prompt; renders and keeps it the first time. */
  freeze(): Promise<string> {
    return this.#rendering.run("", async () => {
      const kept = await this.#cache.get();
      const isCurrent = kept !== null && !(await this.#isOutlived(kept));
      return isCurrent ? kept : (await this.#render()).prompt;
    });
  }

  /** The kept prompt with the versions of the blocks in it; renders and keeps both the first time. */
  freezeVersioned(): Promise<FrozenText> {
    return this.#rendering.run("", async () => {
      const kept = await this.#kept();
      return kept && !(await this.#isOutlived(kept.prompt)) ? kept : this.#render();
    });
  }

  /** Renders from the blocks as they are now, and keeps that. */
  refresh(): Promise<string> {
    return this.#rendering.run("", async () => (await this.#render()).prompt);
  }

  /** What differs between the kept prompt and the blocks now; nothing before the first freeze. */
  async changes(): Promise<BlockChange[]> {
    const frozen = await this.#cache.get();
    return frozen === null ? [] : changedBlocks(frozen, await this.#options.blocks.getAll());
  }

  async #kept(): Promise<FrozenText | null> {
    if (isFrozenPromptProvider(this.#cache)) return this.#cache.readFrozen();
    const prompt = await this.#cache.get();
    return prompt === null ? null : { prompt, versions: null };
  }

  /** Whether a block that could not be read for the kept prompt says something else now. Most prompts have no such block. */
  async #isOutlived(kept: string): Promise<boolean> {
    const labels = new Set(unavailableLabels(kept));
    if (labels.size === 0) return false;
    const { blocks } = this.#options;
    const failed = blocks.labels.filter((label) => labels.has(label.toUpperCase()));
    const now = await Promise.all(failed.map((label) => blocks.get(label)));
    return now.some((block) => block && block.error === undefined && !isAsRendered(kept, block));
  }

  async #render(): Promise<FrozenText> {
    const blocks = await this.#options.blocks.getAll();
    const frozen = { prompt: renderPrompt(blocks), versions: versionsOf(blocks) };
    await this.#options.beforeWrite?.();
    if (isFrozenPromptProvider(this.#cache)) await this.#cache.setFrozen(frozen);
    else await this.#cache.set(frozen.prompt);
    return frozen;
  }
}

function versionsOf(blocks: readonly ContextBlock[]): FrozenVersions {
  return Object.fromEntries(
    blocks.flatMap(({ id, version }) => (version === undefined ? [] : [[id, version]])),
  );
}
