import { InvalidArgumentError } from "@/lib/session/errors";

/** Triggers compaction at a number of tokens, or at a share of a model's window. */
export type CompactionThreshold =
  | number
  | { readonly share: number; readonly contextWindow: number };

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
