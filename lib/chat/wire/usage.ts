export interface UsageSumWire {
  calls: number;
  inputTokens: number;
  /** From the provider's cache. */
  cachedTokens: number;
  outputTokens: number;
  cost: number;
  /** Excluded from `cost`, which is in dollars. */
  unpricedCalls: number;
  estimatedCalls: number;
}

/** `GET /api/usage?days=&tz=`; `days` 7, 30, 90, or absent for all. */
export interface UsageWire {
  /** Days of the reader's zone, as `2026-01-31`; those without calls are omitted below. */
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
