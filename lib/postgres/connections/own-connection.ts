import type { Sql } from "postgres";
import { postgresFailure } from "@/lib/postgres/database-error";
import { DatabaseConnectionError } from "./database-connection-error";
import { repeatedly } from "./rolled-back";
import { SingleConnection, type SingleConnectionOptions } from "./single-connection";
import { statementsOver } from "./statement";

export interface OwnConnectionOptions
  extends Pick<SingleConnectionOptions, "onClosed" | "onNotification"> {
  /** Of each statement; `null`: none. Omitted: a minute, and none where the pool has none. */
  readonly deadlineMs?: number | null | undefined;
}

/** No request waits for the statements of imports and exports. */
const longStatementMs = 60_000;
const graceMs = 1_000;

/**
 * Opens a connection outside the pool, for locks and transactions; the caller ends it, or the end of the pool does. Once
 * lost it refuses statements.
 */
export function ownConnection(pool: Sql, options: OwnConnectionOptions = {}): Sql {
  const direct = directs.get(pool.options) ?? pool;
  const { deadlineMs = direct.options.connection.statement_timeout ? longStatementMs : null } =
    options;
  const connection = new SingleConnection(direct, {
    ...options,
    statementTimeoutMs: deadlineMs ?? 0,
    onClosed: () => {
      release();
      options.onClosed?.();
    },
  });
  const release = endWith(pool, (withinMs) => connection.end(withinMs));
  const run: SingleConnection["run"] = async (send) => {
    if (deadlineMs === null) return connection.run(send);
    const silent = new DatabaseConnectionError("DATABASE_SILENT");
    const timer = setTimeout(() => connection.destroy(silent), deadlineMs + graceMs);
    return connection.run(send).finally(() => clearTimeout(timer));
  };
  return Object.assign(statementsOver(connection.driver, run), {
    end: ({ timeout }: { timeout?: number | undefined } = {}) =>
      connection.end(timeout === undefined ? undefined : timeout * 1_000),
  });
}

const directs = new WeakMap<Sql["options"], Sql>();

/** Opens the connections beside `pool` as those of `direct`. */
export function openOwnAt(pool: Sql, direct: Sql): void {
  directs.set(pool.options, direct);
}

/** Gives what is in flight so long; `undefined`: a second. */
type End = (withinMs: number | undefined) => Promise<void>;

const dependents = new WeakMap<Sql["options"], Set<End>>();

/** Has `end` called when a pool of `connect` ends. @returns a function that takes it back. */
export function endWith(pool: Sql, end: End): () => void {
  const ends = dependents.get(pool.options) ?? new Set();
  dependents.set(pool.options, ends.add(end));
  return () => void ends.delete(end);
}

export async function endDependents(pool: Sql, withinMs: number | undefined): Promise<void> {
  await Promise.all([...(dependents.get(pool.options) ?? [])].map((end) => end(withinMs)));
}

const modes = {
  write: "begin",
  /** Every statement sees the same moment. */
  snapshot: "begin isolation level repeatable read, read only",
} as const;

/** Opens a transaction on a connection of its own; the caller ends it, which rolls back what is not committed. */
export async function openTransaction(
  pool: Sql,
  mode: keyof typeof modes,
  options?: OwnConnectionOptions,
): Promise<Sql> {
  const sql = ownConnection(pool, options);
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

/**
 * Sends a statement of any size: again on a connection of its own, with a minute, when the server ended it for its time,
 * and there at once when it changes many `rows`. It changes nothing when it fails, so sending it twice does it once.
 */
export async function withMoreTime<Result>(
  pool: Sql,
  send: (sql: Sql) => PromiseLike<Result>,
  { rows = 0 }: { rows?: number | undefined } = {},
): Promise<Result> {
  const withMinute = () => repeatedly(() => inTransaction(pool, "write", async (sql) => send(sql)));
  if (rows >= manyRows) return withMinute();
  try {
    return await send(pool);
  } catch (error) {
    if (postgresFailure(error)?.code !== "57014") throw error;
    return withMinute();
  }
}

/** Take a second or two on a quiet machine. */
const manyRows = 20_000;

/** Yields what `read` does, all of one moment. On a connection of its own, which the caller ends after a failure. */
export async function* snapshotOn<Item, Result>(
  sql: Sql,
  read: () => AsyncGenerator<Item, Result>,
): AsyncGenerator<Item, Result> {
  await sql.unsafe(modes.snapshot);
  const result = yield* read();
  await sql`commit`;
  return result;
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
