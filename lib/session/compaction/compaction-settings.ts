import type { SessionMessage } from "../message";
import type { MaybePromise } from "../session-provider";
import type { SessionTokenCounter } from "../tokens/token-counters";
import type { CompactFunction } from "./create-compact-function";

/** A number of tokens, or a share of a model's window. */
export type CompactionThreshold =
  | number
  | { readonly share: number; readonly contextWindow: number };

export type ContextTokens = (history: readonly SessionMessage[]) => MaybePromise<number>;

export interface AutoCompactionOptions {
  /** Replaces the estimate everywhere. */
  readonly tokenCounter?: SessionTokenCounter | undefined;
  /** Counts a whole call, prompt and tools included. Default: the tokens of the history. */
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
