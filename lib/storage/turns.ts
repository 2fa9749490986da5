import { KeyedMutex } from "grove-session/ports";
import type { Sql } from "grove-session/postgres";
import { inTransaction, translated } from "@/lib/postgres/storage";

export class PostgresTurns {
  readonly #sql: Sql;
  readonly #ownerId: string;
  /** Tasks that wait for their own process need no connection. */
  readonly #waiting = new KeyedMutex();

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#ownerId = ownerId;
  }

  /**
   * Locks on a connection outside the pool end with its process, and a task may take no other turn. Several names must
   * always be given in the same order.
   */
  take<Result>(names: string | readonly string[], task: () => Promise<Result>): Promise<Result> {
    const all = [names].flat();
    const locked = () =>
      inTransaction(this.#sql, "write", async (sql) => {
        for (const name of all) {
          const lockName = JSON.stringify(["turn", this.#ownerId, name]);
          await translated(sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`);
        }
        return task();
      });
    const inTurn = all.reduceRight((next, name) => () => this.#waiting.run(name, next), locked);
    return inTurn();
  }
}
