import {
  type FrozenText,
  type FrozenVersions,
  isFrozenPromptProvider,
  type WritableContextProvider,
} from "@/lib/session/context-provider";
import { InMemoryPrompt } from "@/lib/session/in-memory/in-memory-prompt";
import { KeyedMutex } from "@/lib/session/keyed-mutex";
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

interface FrozenPromptOptions {
  readonly blocks: ContextBlocks;
  /** Stores the prompt; default in memory. */
  readonly cache?: WritableContextProvider | undefined;
  /** Awaited before storing, to prepare the storage. */
  readonly beforeWrite?: (() => MaybePromise<void>) | undefined;
}

/**
 * The system prompt of a session, rendered once and kept, so that model providers can cache it. An unreadable block
 * is marked unavailable in it, since a source that is down for long would otherwise change the prompt every turn;
 * once readable, the prompt is rendered again.
 */
export class FrozenPrompt {
  readonly #options: FrozenPromptOptions;
  readonly #cache: WritableContextProvider;
  readonly #rendering = new KeyedMutex();

  constructor(options: FrozenPromptOptions) {
    this.#options = options;
    this.#cache = options.cache ?? new InMemoryPrompt();
  }

  /** Renders and keeps the prompt the first time. */
  freeze(): Promise<string> {
    return this.#rendering.run("", async () => {
      const kept = await this.#cache.get();
      const isCurrent = kept !== null && !(await this.#isOutlived(kept));
      return isCurrent ? kept : (await this.#render()).prompt;
    });
  }

  /** Like `freeze`, with the versions of the blocks. */
  freezeVersioned(): Promise<FrozenText> {
    return this.#rendering.run("", async () => {
      const kept = await this.#kept();
      return kept && !(await this.#isOutlived(kept.prompt)) ? kept : this.#render();
    });
  }

  /** Renders the current blocks, and keeps that. */
  refresh(): Promise<string> {
    return this.#rendering.run("", async () => (await this.#render()).prompt);
  }

  /** The kept prompt, or the current blocks rendered without keeping that. */
  async current(): Promise<string> {
    return (await this.#cache.get()) ?? renderPrompt(await this.#options.blocks.getAll());
  }

  /** Differences between the kept prompt and the current blocks; none before the first freeze. */
  async changes(): Promise<BlockChange[]> {
    const frozen = await this.#cache.get();
    return frozen === null ? [] : changedBlocks(frozen, await this.#options.blocks.getAll());
  }

  async #kept(): Promise<FrozenText | null> {
    if (isFrozenPromptProvider(this.#cache)) return this.#cache.readFrozen();
    const prompt = await this.#cache.get();
    return prompt === null ? null : { prompt, versions: null };
  }

  /** Returns true when a block that was unavailable in the kept prompt has changed. */
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
