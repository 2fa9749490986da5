import type { Sql } from "postgres";
import { postgresFailure } from "@/lib/postgres/database-error";
import type { SessionEvents } from "@/lib/session";
import { insertUsage, sumUsage, type UsageSumRow } from "./usage";

const unknownZone = "22023";

/** One call of a model, as it is written down. */
export interface UsageRecord {
  readonly id: string;
  readonly kind: "answer" | "summary" | "title";
  readonly sessionId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Dollars; `null` when the price was not known. */
  readonly cost: number | null;
  readonly isReported: boolean;
}

/** What the calls of one owner took. */
export class PostgresUsage {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #events: SessionEvents | undefined;

  /** `events` hear of every call, like of what a `Session` adds to its usage. */
  constructor(sql: Sql, ownerId: string, { events }: { events?: SessionEvents } = {}) {
    this.#sql = sql;
    this.#owner = ownerId;
    this.#events = events;
  }

  /** Adds a call to the totals of its session, too. The same id again changes nothing. */
  async record({ sessionId, ...entry }: UsageRecord): Promise<void> {
    const row = { ...entry, owner: this.#owner, session: sessionId };
    if (!(await insertUsage(this.#sql, row))) return;
    const { inputTokens, outputTokens, cost } = entry;
    this.#events?.emit(sessionId, "usage", { inputTokens, outputTokens, cost: cost ?? 0 });
  }

  /** Sums by days of a time zone; `days` counts back from today, `null` starts at the first call. @throws {RangeError} */
  async sums(options: {
    timeZone: string;
    days: number | null;
    now?: Date;
  }): Promise<UsageSumRow[]> {
    try {
      return await sumUsage(this.#sql, { now: new Date(), ...options, owner: this.#owner });
    } catch (cause) {
      if (postgresFailure(cause)?.code !== unknownZone) throw cause;
      throw new RangeError(`Unknown time zone: ${options.timeZone}`, { cause });
    }
  }
}
