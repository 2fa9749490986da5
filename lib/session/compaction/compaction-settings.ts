import type { SessionMessage } from "@/lib/session/message";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionTokenCounter } from "@/lib/session/tokens/token-counters";
import type { CompactFunction } from "./create-compact-function";

/** Triggers compaction at a number of tokens, or at a share of a model's window. */
export type CompactionThreshold =
  | number
  | { readonly share: number; readonly contextWindow: number };

/** Counts all tokens of a model call with this history. */
type ContextTokens = (history: readonly SessionMessage[]) => MaybePromise<number>;

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

export interface CompactionSettings {
  readonly compactFunction?: CompactFunction | undefined;
  readonly threshold?: CompactionThreshold | undefined;
  readonly autoCompaction: AutoCompactionOptions;
  readonly onCompactionError?: ((error: unknown) => unknown) | undefined;
}
