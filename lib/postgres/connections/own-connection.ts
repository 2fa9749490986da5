import type postgres from "postgres";
import { postgresFailure } from "../database-error";
import { DatabaseConnectionError } from "./database-connection-error";
import { repeatedly } from "./rolled-back";
import { SingleConnection, type SingleConnectionOptions } from "./single-connection";
import type { ResultFacts, Sql } from "./sql";
import { connectionsBelow, statementsOf, statementsOver } from "./statement";

export interface OwnConnectionOptions
  extends Pick<SingleConnectionOptions, "onClosed" | "onNotification"> {
  /** Milliseconds for each statement; `null`: no limit. Omitted: a minute, or none where the pool has none. */
  readonly deadlineMs?: number | null | undefined;
}

/** No request waits for the statements of imports and exports. */
const longStatementMs = 60_000;
const graceMs = 1_000;

/**
 * Opens a connection outside the pool, for locks and transactions; the caller ends it, or the end of the pool does.
 * Once lost it refuses statements.
 */
export function ownConnection(pool: Sql | postgres.Sql, options: OwnConnectionOptions = {}): Sql {
  const { direct, dependents } = connectionsBelow(statementsOf(pool));
  const { deadlineMs = direct.options.connection.statement_timeout ? longStatementMs : null } =
    options;
  const connection = new SingleConnection(direct, {
    ...options,
    statementTimeoutMs: deadlineMs ?? 0,
    onClosed: () => {
      dependents.delete(end);
      options.onClosed?.();
    },
  });
  const end = (withinMs: number | undefined) => connection.end(withinMs);
  dependents.add(end);
  const run: SingleConnection["run"] = async (send) => {
    if (deadlineMs === null) return connection.run(send);
    const silent = new DatabaseConnectionError("DATABASE_SILENT");
    const timer = setTimeout(() => connection.destroy(silent), deadlineMs + graceMs);
    return connection.run(send).finally(() => clearTimeout(timer));
  };
  return statementsOver({
    driver: direct,
    direct,
    dependents,
    run,
    begin: (work) => connection.run((driver) => transactionOn(driver, () => work(driver))),
    end: ({ timeout } = {}) => connection.end(timeout === undefined ? undefined : timeout * 1_000),
  });
}

const modes = {
  write: "begin",
  snapshot: "begin isolation level repeatable read, read only",
} as const;

/** Opens a transaction on a connection of its own; its end rolls back uncommitted writes. */
export async function openTransaction(
  pool: Sql | postgres.Sql,
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

/** The pool's connections limit how many run at once; `work` may not wait for another of them. */
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

/** A change of this size takes a second or two on a quiet machine. */
const manyRows = 20_000;

/** Yields the items of `read`, all of one moment. The caller ends the connection after a failure. */
export async function* snapshotOn<Item, Result>(
  sql: Sql,
  read: () => AsyncGenerator<Item, Result>,
): AsyncGenerator<Item, Result> {
  await sql.unsafe(modes.snapshot);
  const result = yield* read();
  await sql`commit`;
  return result;
}

/** Runs `work` within a transaction of `connection`, rolled back where it fails. */
export async function transactionOn<Result>(
  connection: SimpleConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.unsafe(modes.write);
  try {
    const result = await work();
    const { command } = await connection.unsafe("commit");
    if (command !== "COMMIT") throw new Error("The transaction was rolled back.");
    return result;
  } catch (error) {
    // A lost connection has rolled back already.
    await connection.unsafe("rollback").then(undefined, () => undefined);
    throw error;
  }
}

interface SimpleConnection {
  unsafe(text: string): PromiseLike<ResultFacts>;
}

const secondsToEnd = 5;
const allTurns = new WeakMap<Sql, Turns>();

function turnsOf(pool: Sql): Turns {
  const turns = allTurns.get(pool) ?? new Turns(connectionsBelow(pool).driver.options.max);
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
