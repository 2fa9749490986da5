/** One call of a model: what it was for, what it took, what it cost at the time. */
export interface UsageEntry {
  /** The same id again changes nothing. */
  readonly id: string;
  readonly kind: "answer" | "summary" | "title";
  readonly sessionId: string;
  readonly model: string;
  readonly inputTokens: number;
  /** Of the input, those the provider had in its cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Dollars; `null` when the price was not known. */
  readonly cost: number | null;
  /** The provider said the numbers; otherwise they are estimates. */
  readonly isReported: boolean;
}

/** Where the calls of one owner are written down. */
export interface UsageLog {
  /** Adds it to the totals of its session, too. */
  record(entry: UsageEntry): Promise<void>;
}
