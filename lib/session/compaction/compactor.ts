import type { ContextBlocks } from "../context/context-blocks";
import type { FrozenPrompt } from "../context/prompt";
import { InvalidArgumentError } from "../errors";
import { KeyedMutex } from "../keyed-mutex";
import type { AppendResult, SessionMessage } from "../message";
import { reportFailure } from "../report-failure";
import { type Compaction, isTreeProvider, type SessionProvider } from "../session-provider";
import type { SessionStorage } from "../session-storage";
import { estimateMessageTokens } from "../tokens/estimate-tokens";
import { countedCall, counterOfMessages } from "../tokens/token-counters";
import type { CompactionSettings, CompactionThreshold } from "./compaction-settings";
import type { CompactOptions, CompactResult } from "./create-compact-function";

interface Considered {
  readonly compaction: Compaction | null;
  readonly history: SessionMessage[] | null;
}

interface CompactorParts {
  readonly storage: SessionStorage;
  readonly prompt: FrozenPrompt;
  readonly blocks: ContextBlocks;
}

/** Objects with the same source and id share one lock. */
const mutexBySource = new WeakMap<object, KeyedMutex>();

export class Compactor {
  readonly #storage: SessionStorage;
  readonly #prompt: FrozenPrompt;
  readonly #blocks: ContextBlocks;
  readonly #settings: CompactionSettings;
  readonly #policy: AutoCompactionPolicy | null;
  /** A running estimate spares an append reading the history. */
  #known: { leafId: string; tokens: number; revision: number } | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ storage, prompt, blocks }: CompactorParts, settings: CompactionSettings) {
    this.#storage = storage;
    this.#prompt = prompt;
    this.#blocks = blocks;
    this.#settings = settings;
    const { threshold } = settings;
    this.#policy =
      threshold === undefined ? null : new AutoCompactionPolicy(thresholdTokens(threshold));
  }

  async countTokens(leafId?: string): Promise<number> {
    return this.#count(await this.#storage.provider.getHistory(leafId));
  }

  /** `null` when there is nothing to do, or the range changed meanwhile. */
  async compact(leafId?: string, options: CompactOptions = {}): Promise<Compaction | null> {
    const { source, id } = this.#storage;
    const mutex = mutexBySource.get(source) ?? new KeyedMutex();
    mutexBySource.set(source, mutex);
    return mutex.run(id, () => this.#compact(leafId, options));
  }

  /** Failures go to the error handler; never throws. */
  async consider(leafId?: string, signal?: AbortSignal): Promise<Compaction | null> {
    return (await this.#consider(leafId, signal))?.compaction ?? null;
  }

  async fittingHistory(leafId?: string, signal?: AbortSignal): Promise<SessionMessage[]> {
    const considered = await this.#consider(leafId, signal);
    return considered?.history ?? this.#storage.provider.getHistory(leafId);
  }

  async afterAppend(appended: readonly AppendResult[]): Promise<void> {
    const messages = appended.map(({ message }) => message);
    const leafId = messages.at(-1)?.id;
    if (leafId === undefined || !this.#policy || !this.#settings.compactFunction) return;
    const known = this.#known;
    const { tokenCounter, contextTokens, background } = this.#settings.autoCompaction;
    const isEstimate = !tokenCounter && !contextTokens;
    const { revision } = this.#storage;
    const parentId = appended[0]?.parentId;
    const continues = known?.leafId === parentId && known?.revision === revision && isEstimate;
    this.#known = continues
      ? { leafId, tokens: known.tokens + estimateMessageTokens(messages), revision }
      : null;
    if (this.#known && !this.#policy.isDue(this.#known.tokens)) return;
    const attempt = this.consider(leafId);
    if (!background) await attempt;
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #consider(
    leafId: string | undefined,
    signal?: AbortSignal | undefined,
  ): Promise<Considered | null> {
    const policy = this.#policy;
    if (!policy || !this.#settings.compactFunction) return null;
    const attempt = this.#running.then(() => this.#attempt(policy, leafId, signal));
    this.#running = attempt;
    return attempt;
  }

  async #attempt(
    policy: AutoCompactionPolicy,
    leafId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Considered | null> {
    try {
      return await this.#compactIfDue(policy, leafId, signal);
    } catch (error) {
      await reportFailure(error, {
        what: "Automatic compaction",
        source: this.#storage.source,
        handler: this.#settings.onCompactionError,
      });
      return null;
    }
  }

  async #compactIfDue(
    policy: AutoCompactionPolicy,
    leafId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Considered> {
    const { revision, provider } = this.#storage;
    const history = await provider.getHistory(leafId);
    const tokens = await this.#contextTokens(history);
    if (leafId !== undefined) this.#known = { leafId, tokens, revision };
    if (!policy.isDue(tokens)) return { compaction: null, history };
    // Noted before the attempt, so that a failing one counts too.
    policy.note({ tokens, helped: false });
    const compaction = await this.compact(leafId, signal && { signal });
    if (compaction) {
      const left = await this.#contextTokens(await provider.getHistory(leafId));
      policy.note({ tokens: left, helped: left <= policy.threshold });
    }
    return { compaction, history: null };
  }

  async #compact(leafId: string | undefined, options: CompactOptions): Promise<Compaction | null> {
    const { compactFunction, autoCompaction } = this.#settings;
    const { provider } = this.#storage;
    if (!compactFunction) {
      throw new InvalidArgumentError(
        "No compaction function registered. Call onCompaction() first.",
      );
    }
    const history = await provider.getHistory(leafId);
    const result = await compactFunction(history, {
      ...options,
      tokenCounter: options.tokenCounter ?? counterOfMessages(autoCompaction.tokenCounter),
      pinnedIds: options.pinnedIds ?? (await pinnedIn(provider)),
    });
    if (!result || rangeOf(history, result) !== rangeOf(await provider.getHistory(leafId), result))
      return null;
    return this.#storage.save(() => this.#store(history, result, options.focus));
  }

  async #store(
    history: readonly SessionMessage[],
    result: CompactResult,
    focus: string | undefined,
  ): Promise<Compaction> {
    const { tokensBefore: rangeTokens, model, cost } = result;
    const tokensBefore = await this.#count(history);
    const saved = (result.tokensBefore ?? 0) - (result.tokensAfter ?? 0);
    const { summary, fromMessageId, toMessageId } = result;
    const metadata = {
      tokensBefore,
      tokensAfter: Math.max(0, tokensBefore - saved),
      author: "model",
      ...(rangeTokens !== undefined && { rangeTokens }),
      ...(model !== undefined && { model }),
      ...(cost !== undefined && { cost }),
      ...(focus !== undefined && { focus }),
    } as const;
    const range = { fromId: fromMessageId, toId: toMessageId };
    const compaction = await this.#storage.addCompaction(summary, range, metadata);
    await this.#prompt.refresh();
    return compaction;
  }

  async #contextTokens(history: readonly SessionMessage[]): Promise<number> {
    const { contextTokens } = this.#settings.autoCompaction;
    return (await contextTokens?.(history)) ?? this.#count(history);
  }

  async #count(messages: readonly SessionMessage[]): Promise<number> {
    const { tokenCounter } = this.#settings.autoCompaction;
    if (!tokenCounter) return estimateMessageTokens(messages);
    const [systemPrompt, contextBlocks] = await Promise.all([
      this.#prompt.current(),
      this.#blocks.getAll(),
    ]);
    const tokens = await tokenCounter(countedCall(messages, { systemPrompt, contextBlocks }));
    if (Number.isFinite(tokens) && tokens >= 0) return tokens;
    throw new InvalidArgumentError(`A token counter returned ${tokens}.`);
  }
}

async function pinnedIn(provider: SessionProvider): Promise<ReadonlySet<string>> {
  if (!isTreeProvider(provider)) return new Set();
  const nodes = await provider.getTree();
  return new Set(nodes.filter(({ pinned }) => pinned).map(({ id }) => id));
}

/** The messages of a range as text; `null` when an end is gone. */
function rangeOf(
  history: readonly SessionMessage[],
  { fromMessageId, toMessageId }: CompactResult,
): string | null {
  const from = history.findIndex(({ id }) => id === fromMessageId);
  const to = history.findIndex(({ id }) => id === toMessageId);
  if (from === -1 || to === -1) return null;
  return JSON.stringify(history.slice(from, to + 1).map(({ id, parts }) => [id, parts]));
}

const regrowth = 1.2;

function thresholdTokens(threshold: CompactionThreshold): number {
  const tokens =
    typeof threshold === "number" ? threshold : threshold.share * threshold.contextWindow;
  if (!(tokens > 0))
    throw new InvalidArgumentError("A compaction threshold is a positive number of tokens.");
  return tokens;
}

/** After an attempt that did not help, waits for 20% more history. */
class AutoCompactionPolicy {
  #notBefore = 0;

  constructor(readonly threshold: number) {}

  isDue(tokens: number): boolean {
    return tokens > this.threshold && tokens >= this.#notBefore;
  }

  note({ tokens, helped }: { tokens: number; helped: boolean }): void {
    this.#notBefore = helped ? 0 : tokens * regrowth;
  }
}
