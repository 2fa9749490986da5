export interface UsageSumWire {
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost: number;
  /** Calls left out of `cost`, which is in dollars. */
  unpricedCalls: number;
  estimatedCalls: number;
}

export interface UsageWire {
  /** Days of the reader's zone, as `2026-01-31`; those without calls are omitted. */
  from: string | null;
  to: string;
  timeZone: string;
  total: UsageSumWire;
  days: (UsageSumWire & { day: string })[];
  models: (UsageSumWire & { model: string })[];
  /** The 50 largest; `title` is `null` when the session is gone. */
  sessions: (UsageSumWire & { sessionId: string; title: string | null })[];
  /** The 50 largest; `name` is `null` when the project is gone. The rest was outside of projects. */
  projects: (UsageSumWire & { projectId: string; name: string | null })[];
  kinds: (UsageSumWire & { kind: "answer" | "summary" | "title" | "embedding" })[];
}
