import type { Sql } from "postgres";
import { KeyedMutex } from "@/lib/session/internal";
import { translated } from "./database-error";
import { inTransaction } from "./own-connection";

/** Runs the tasks of one name and owner one after another, also those of other processes. */
export class PostgresTurns {
  readonly #sql: Sql;
  readonly #ownerId: string;
  /** Tasks that wait for their own process need no connection. */
  readonly #waiting = new KeyedMutex();

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#ownerId = ownerId;
  }

  /** Holds the lock on a connection outside the pool: it ends with its process, and the task has the whole pool. */
  take<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const lockName = JSON.stringify(["turn", this.#ownerId, name]);
    return this.#waiting.run(name, () =>
      inTransaction(this.#sql, "write", async (sql) => {
        await translated(sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`);
        return task();
      }),
    );
  }
}
