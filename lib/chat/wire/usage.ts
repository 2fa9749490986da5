export interface UsageSumWire {
  calls: number;
  inputTokens: number;
  /** Of the input, those the provider had in its cache. */
  cachedInputTokens: number;
  outputTokens: number;
  /** Dollars, of the calls whose price was known. */
  cost: number;
  /** Calls whose price was not known: `cost` lacks them. */
  unpricedCalls: number;
  /** Calls whose numbers are estimates, since the provider did not say. */
  estimatedCalls: number;
}

/** `GET /api/usage?days=&tz=`: sums of answers, summaries (of a stretch, or of a branch that is left) and titles; `days` 7, 30, 90, or absent for all. */
export interface UsageWire {
  /** Days of the reader's zone, as `2026-01-31`; `null` when nothing was used. Days without calls are left out below. */
  from: string | null;
  to: string;
  timeZone: string;
  total: UsageSumWire;
  days: (UsageSumWire & { day: string })[];
  /** Most expensive first, then most tokens. */
  models: (UsageSumWire & { model: string })[];
  /** The 50 that took most; `title` is `null` when the session is gone. */
  sessions: (UsageSumWire & { sessionId: string; title: string | null })[];
  kinds: (UsageSumWire & { kind: "answer" | "summary" | "title" })[];
}
