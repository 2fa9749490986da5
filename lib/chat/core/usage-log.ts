import type { UsageSumWire } from "@/lib/chat/wire/usage";

export interface UsageEntry {
  /** Idempotency key. */
  readonly id: string;
  readonly kind: "answer" | "summary" | "title";
  readonly sessionId: string;
  readonly model: string;
  readonly inputTokens: number;
  /** From the provider's cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Dollars; `null` without a known price. */
  readonly cost: number | null;
  /** Dollars that count towards limits; absent: the cost. */
  readonly charge?: number | undefined;
  readonly isReported: boolean;
  /** The key of the program that caused the call. */
  readonly keyId?: string | undefined;
}

export interface UsageLog {
  /**
   * Adds to its session's totals. A report replaces an estimate of the same id. @returns whether the entry is new.
   */
  record(entry: UsageEntry): Promise<boolean>;
}

export interface UsageSum extends Readonly<UsageSumWire> {
  readonly by: "day" | "model" | "session" | "kind" | "all";
  /** A date as `2026-01-31`, a model, a session or a kind; `null` for the total. */
  readonly name: string | null;
  readonly title: string | null;
  readonly isThere: boolean;
}

export interface UsageSums {
  /**
   * `days` counts back from today; `null` starts at the first call. @throws {RangeError} for an unknown time zone.
   */
  sums(options: { timeZone: string; days: number | null; now?: Date }): Promise<UsageSum[]>;
}
