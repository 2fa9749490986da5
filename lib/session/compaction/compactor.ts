import type { FrozenPrompt } from "@/lib/session/context/frozen-prompt";
import { InvalidArgumentError } from "@/lib/session/errors";
import { KeyedMutex } from "@/lib/session/keyed-mutex";
import type { AppendResult, SessionMessage } from "@/lib/session/message";
import {
  type Compaction,
  isTreeProvider,
  type MaybePromise,
  type SessionProvider,
} from "@/lib/session/session-provider";
import { estimateMessageTokens, type TokenCounter } from "@/lib/session/tokens/estimate-tokens";
import type { SaveTracker } from "@/lib/session/wiring/save-tracker";
import {
  AutoCompactionPolicy,
  type CompactionThreshold,
  thresholdTokens,
} from "./auto-compaction-policy";
import type { CompactFunction, CompactResult } from "./create-compact-function";

/** Counts all tokens of a model call with this history. */
export type ContextTokens = (history: readonly SessionMessage[]) => MaybePromise<number>;

/** Options for counting tokens and for running in the background. */
export interface AutoCompactionOptions {
  /** Replaces the estimate for the trigger, the boundaries and the display. */
  readonly tokenCounter?: TokenCounter | undefined;
  /**
   * Counts a whole call, prompt and tools included, to compare with the threshold. Default: the tokens of the
   * history.
   */
  readonly contextTokens?: ContextTokens | undefined;
  /** `true`: an append does not wait for the summary. Default `false`. */
  readonly background?: boolean | undefined;
}

export interface CompactorSettings extends AutoCompactionOptions {
  readonly compactFunction?: CompactFunction | undefined;
  readonly threshold?: CompactionThreshold | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface CompactorOptions extends CompactorSettings {
  readonly sessionId: string;
  readonly provider: SessionProvider;
  /** Sessions with the same source and id share one lock, however many objects represent them. */
  readonly source: object;
  readonly prompt: FrozenPrompt;
  readonly saves: SaveTracker;
}

export interface CompactOptions {
  /** To preserve above all, in the person's words. */
  readonly focus?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Considered {
  readonly compaction: Compaction | null;
  /** The history already read, if still current. */
  readonly history: SessionMessage[] | null;
}

const mutexBySource = new WeakMap<object, KeyedMutex>();

/** Compacts one session on demand, and automatically when its history is too long. */
export class Compactor {
  readonly #options: CompactorOptions;
  readonly #policy: AutoCompactionPolicy | null;
  /** Running estimate for the path to a leaf, so that an append need not read the history again. */
  #known: { leafId: string; tokens: number } | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: CompactorOptions) {
    this.#options = options;
    const { threshold } = options;
    this.#policy =
      threshold === undefined ? null : new AutoCompactionPolicy(thresholdTokens(threshold));
  }

  /** Tokens of the visible history, by the session's counter. */
  async countTokens(leafId?: string): Promise<number> {
    return this.#count(await this.#options.provider.getHistory(leafId));
  }

  /**
   * Summarizes the middle of the visible history. `null` when there is nothing to do, or when the range changed while
   * the summary was written.
   */
  async compact(leafId?: string, options: CompactOptions = {}): Promise<Compaction | null> {
    const { source, sessionId } = this.#options;
    const mutex = mutexBySource.get(source) ?? new KeyedMutex();
    mutexBySource.set(source, mutex);
    return mutex.run(sessionId, () => this.#compact(leafId, options));
  }

  /** Compacts when the history exceeds the threshold. Failures go to the error handler; never throws. */
  async consider(leafId?: string, signal?: AbortSignal): Promise<Compaction | null> {
    return (await this.#consider(leafId, signal))?.compaction ?? null;
  }

  /** The visible history, compacted first if it exceeded the threshold. */
  async fittingHistory(leafId?: string, signal?: AbortSignal): Promise<SessionMessage[]> {
    const considered = await this.#consider(leafId, signal);
    return considered?.history ?? this.#options.provider.getHistory(leafId);
  }

  async afterAppend({ message, parentId }: AppendResult): Promise<void> {
    if (!this.#policy || !this.#options.compactFunction) return;
    const known = this.#known;
    const { tokenCounter, contextTokens } = this.#options;
    const isEstimate = !tokenCounter && !contextTokens;
    const continues = known !== null && known.leafId === parentId && isEstimate;
    this.#known = continues
      ? { leafId: message.id, tokens: known.tokens + estimateMessageTokens([message]) }
      : null;
    if (this.#known && !this.#policy.isDue(this.#known.tokens)) return;
    const attempt = this.consider(message.id);
    if (!this.#options.background) await attempt;
  }

  /** Discards the running estimate after a change other than an append. */
  invalidate(): void {
    this.#known = null;
  }

  /** Resolves when a background compaction has ended. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #consider(
    leafId: string | undefined,
    signal?: AbortSignal | undefined,
  ): Promise<Considered | null> {
    const policy = this.#policy;
    if (!policy || !this.#options.compactFunction) return null;
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
      this.#report(error);
      return null;
    }
  }

  async #compactIfDue(
    policy: AutoCompactionPolicy,
    leafId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Considered> {
    const history = await this.#options.provider.getHistory(leafId);
    const tokens = await this.#carried(history);
    if (leafId !== undefined) this.#known = { leafId, tokens };
    if (!policy.isDue(tokens)) return { compaction: null, history };
    // Recorded before the attempt, so that a failing one counts too.
    policy.note({ tokens, helped: false });
    const compaction = await this.compact(leafId, signal && { signal });
    if (compaction) {
      const left = await this.#carried(await this.#options.provider.getHistory(leafId));
      policy.note({ tokens: left, helped: left <= policy.threshold });
    }
    return { compaction, history: null };
  }

  async #compact(
    leafId: string | undefined,
    { focus, signal }: CompactOptions,
  ): Promise<Compaction | null> {
    const { compactFunction, provider, tokenCounter } = this.#options;
    if (!compactFunction) {
      throw new InvalidArgumentError("Register a compaction function with onCompaction() first.");
    }
    const history = await provider.getHistory(leafId);
    const pinnedIds = await pinnedIn(provider);
    const result = await compactFunction(history, { focus, tokenCounter, pinnedIds, signal });
    if (!result || rangeOf(history, result) !== rangeOf(await provider.getHistory(leafId), result))
      return null;
    return this.#options.saves.run(() => this.#store(history, result, focus));
  }

  async #store(
    history: readonly SessionMessage[],
    result: CompactResult,
    focus: string | undefined,
  ): Promise<Compaction> {
    const { provider, prompt } = this.#options;
    const { tokensBefore: rangeTokens, model, cost } = result;
    const tokensBefore = await this.#count(history);
    const saved = (result.tokensBefore ?? 0) - (result.tokensAfter ?? 0);
    const compaction = await provider.addCompaction(
      result.summary,
      result.fromMessageId,
      result.toMessageId,
      {
        tokensBefore,
        tokensAfter: Math.max(0, tokensBefore - saved),
        author: "model",
        ...(rangeTokens !== undefined && { rangeTokens }),
        ...(model !== undefined && { model }),
        ...(cost !== undefined && { cost }),
        ...(focus !== undefined && { focus }),
      },
    );
    this.invalidate();
    await prompt.refresh();
    return compaction;
  }

  async #carried(history: readonly SessionMessage[]): Promise<number> {
    return (await this.#options.contextTokens?.(history)) ?? this.#count(history);
  }

  async #count(messages: readonly SessionMessage[]): Promise<number> {
    return (this.#options.tokenCounter ?? estimateMessageTokens)(messages);
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // A failing handler must not fail the append.
    }
  }
}

async function pinnedIn(provider: SessionProvider): Promise<ReadonlySet<string>> {
  if (!isTreeProvider(provider)) return new Set();
  const nodes = await provider.getTree();
  return new Set(nodes.filter(({ pinned }) => pinned).map(({ id }) => id));
}

/** Serializes the messages of a range, to detect changes; `null` when an end is gone. */
function rangeOf(
  history: readonly SessionMessage[],
  { fromMessageId, toMessageId }: CompactResult,
): string | null {
  const from = history.findIndex(({ id }) => id === fromMessageId);
  const to = history.findIndex(({ id }) => id === toMessageId);
  if (from === -1 || to === -1) return null;
  return JSON.stringify(history.slice(from, to + 1).map(({ id, parts }) => [id, parts]));
}
