import postgres, { type Sql } from "postgres";

/**
 * Opens a connection outside the pool, for locks and transactions; the caller ends it. Once lost it refuses statements,
 * which after `reserve` and `begin` of postgres 3.4.9 would run on another connection.
 */
export function ownConnection(pool: Sql): Sql {
  // The driver takes parsed options too, which its types do not say.
  const options: object = pool.options;
  const own: Sql = postgres({
    ...options,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    onclose: () => void own.end({ timeout: 0 }),
  });
  return own;
}

const modes = {
  write: "begin",
  /** Every statement sees the same moment. */
  snapshot: "begin isolation level repeatable read, read only",
} as const;

/** Opens a transaction on a connection of its own; the caller ends it, which rolls back what is not committed. */
export async function openTransaction(pool: Sql, mode: keyof typeof modes): Promise<Sql> {
  const sql = ownConnection(pool);
  try {
    await sql.unsafe(modes[mode]);
    return sql;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
}

/** As many at once as the pool has connections; `work` may not wait for another of them. */
export async function inTransaction<Result>(
  pool: Sql,
  mode: keyof typeof modes,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const turns = turnsOf(pool);
  await turns.take();
  try {
    const sql = await openTransaction(pool, mode);
    try {
      const result = await work(sql);
      const { command } = await sql`commit`;
      if (command !== "COMMIT") throw new Error("The transaction was rolled back.");
      return result;
    } finally {
      await sql.end({ timeout: secondsToEnd });
    }
  } finally {
    turns.give();
  }
}

/** On a connection of its own, so that a failure anywhere rolls back all of `work`. */
export async function transactionOn<Result>(
  sql: Sql,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql.unsafe(modes.write);
  try {
    const result = await work();
    const { command } = await sql`commit`;
    if (command !== "COMMIT") throw new Error("The transaction was rolled back.");
    return result;
  } catch (error) {
    // A lost connection has rolled back already.
    await sql`rollback`.catch(() => undefined);
    throw error;
  }
}

const secondsToEnd = 5;
const allTurns = new WeakMap<Sql, Turns>();

function turnsOf(pool: Sql): Turns {
  const turns = allTurns.get(pool) ?? new Turns(pool.options.max);
  allTurns.set(pool, turns);
  return turns;
}

class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
