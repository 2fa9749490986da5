import { InvalidArgumentError } from "@/lib/session/errors";

/** When a history is long enough to be compacted: a number of tokens, or a share of a model's window. */
export type CompactionThreshold =
  | number
  | { readonly share: number; readonly contextWindow: number };

const regrowth = 1.2;

/** @throws {InvalidArgumentError} for a threshold that is no positive number. */
export function thresholdTokens(threshold: CompactionThreshold): number {
  const tokens =
    typeof threshold === "number" ? threshold : threshold.share * threshold.contextWindow;
  if (!(tokens > 0))
    throw new InvalidArgumentError("A compaction threshold is a positive number of tokens.");
  return tokens;
}

/**
 * Decides whether to compact. After an attempt that did not help it waits until the history has grown by a fifth, so that
 * a summarizer that fails is not asked again at every message for ever.
 */
export class AutoCompactionPolicy {
  #notBefore = 0;

  constructor(readonly threshold: number) {}

  /** Whether a history of so many tokens is to be compacted now. */
  isDue(tokens: number): boolean {
    return tokens > this.threshold && tokens >= this.#notBefore;
  }

  /** Takes in how an attempt at `tokens` ended. */
  note({ tokens, helped }: { tokens: number; helped: boolean }): void {
    this.#notBefore = helped ? 0 : tokens * regrowth;
  }
}
