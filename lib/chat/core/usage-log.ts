import type { UsageSumWire } from "@/lib/chat/wire/usage";

export interface UsageEntry {
  readonly id: string;
  readonly kind: "answer" | "summary" | "title" | "embedding";
  /** Empty for a call of no session. */
  readonly sessionId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly cost: number | null;
  /** Dollars that count towards limits. Default: the cost. */
  readonly charge?: number | undefined;
  readonly isReported: boolean;
  readonly keyId?: string | undefined;
}

export interface UsageLog {
  /** Adds to its session's totals. A report replaces an estimate of the same id. @returns true for a new entry. */
  record(entry: UsageEntry): Promise<boolean>;
}

export interface UsageSum extends Readonly<UsageSumWire> {
  readonly by: "day" | "model" | "session" | "kind" | "project" | "all";
  readonly name: string | null;
  readonly title: string | null;
  readonly isThere: boolean;
}

export interface UsageSums {
  /** `days` counts back from today; `null` starts at the first call. @throws {RangeError} for an unknown time zone. */
  sums(options: { timeZone: string; days: number | null; now?: Date }): Promise<UsageSum[]>;
}
