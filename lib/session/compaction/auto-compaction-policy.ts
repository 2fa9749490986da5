import { InvalidArgumentError } from "@/lib/session/errors";
import type { SessionMessage } from "@/lib/session/message";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionTokenCounter } from "@/lib/session/tokens/counted-call";

/** Triggers compaction at a number of tokens, or at a share of a model's window. */
export type CompactionThreshold =
  | number
  | { readonly share: number; readonly contextWindow: number };

/** Counts all tokens of a model call with this history. */
export type ContextTokens = (history: readonly SessionMessage[]) => MaybePromise<number>;

/** Options for counting tokens and for running in the background. */
export interface AutoCompactionOptions {
  /** Replaces the estimate for the trigger, the boundaries and the display. A `TokenCounter` is one, too. */
  readonly tokenCounter?: SessionTokenCounter | undefined;
  /**
   * Counts a whole call, prompt and tools included, to compare with the threshold. Default: the tokens of the
   * history.
   */
  readonly contextTokens?: ContextTokens | undefined;
  /** `true`: an append does not wait for the summary. Default `false`. */
  readonly background?: boolean | undefined;
}

const regrowth = 1.2;

/** @throws {InvalidArgumentError} for a threshold that is not a positive number. */
export function thresholdTokens(threshold: CompactionThreshold): number {
  const tokens =
    typeof threshold === "number" ? threshold : threshold.share * threshold.contextWindow;
  if (!(tokens > 0))
    throw new InvalidArgumentError("A compaction threshold is a positive number of tokens.");
  return tokens;
}

/**
 * Decides when to compact. After an attempt that did not help it waits until the history has grown by 20%, so that a
 * failing summarizer is not called again at every message.
 */
export class AutoCompactionPolicy {
  #notBefore = 0;

  constructor(readonly threshold: number) {}

  isDue(tokens: number): boolean {
    return tokens > this.threshold && tokens >= this.#notBefore;
  }

  /** Records the outcome of an attempt at `tokens`. */
  note({ tokens, helped }: { tokens: number; helped: boolean }): void {
    this.#notBefore = helped ? 0 : tokens * regrowth;
  }
}
