export interface UsageSumWire {
  calls: number;
  inputTokens: number;
  /** Input tokens from the provider's cache. */
  cachedInputTokens: number;
  outputTokens: number;
  /** Dollars, of calls with a known price. */
  cost: number;
  /** Calls without a known price, excluded from `cost`. */
  unpricedCalls: number;
  /** Calls with estimated numbers. */
  estimatedCalls: number;
}

/** `GET /api/usage?days=&tz=`: sums of answers, summaries and titles; `days` 7, 30, 90, or absent for all. */
export interface UsageWire {
  /**
   * Days of the reader's zone, as `2026-01-31`; `null` without usage. Days without calls are omitted below.
   */
  from: string | null;
  to: string;
  timeZone: string;
  total: UsageSumWire;
  days: (UsageSumWire & { day: string })[];
  /** Most expensive first, then most tokens. */
  models: (UsageSumWire & { model: string })[];
  /** The 50 largest; `title` is `null` when the session is gone. */
  sessions: (UsageSumWire & { sessionId: string; title: string | null })[];
  kinds: (UsageSumWire & { kind: "answer" | "summary" | "title" })[];
}
