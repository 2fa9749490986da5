import postgres from "postgres";
import { InvalidArgumentError } from "../session";
import { ConnectionPool, type PoolLimits } from "./connections/connection-pool";
import { transactionOn } from "./connections/own-connection";
import type { Sql } from "./connections/sql";
import { type EndConnection, isPort, statementsOf, statementsOver } from "./connections/statement";

export type ConnectOptions = postgres.Options<Record<string, postgres.PostgresType>> & {
  /**
   * Milliseconds for each statement: the server ends it (`statement_timeout`), and a silent server loses the connection
   * half a second later. `null`: no limit.
   */
  readonly deadlineMs?: number | null;
  /**
   * The same database without the pooler of transactions at `url`, for statements that need a connection of their own.
   * The pool then sends only statements that any connection can take: unprepared, without settings of a session, so
   * that the server ends none.
   */
  readonly directUrl?: string | null;
};

const defaultDeadlineMs = 10_000;
/** Time for the server's own refusal to arrive. */
const graceMs = 500;

/**
 * A lazy pool without notices; the caller ends it. Each statement has a connection for itself and a deadline. Also
 * takes libpq addresses of Unix sockets, `postgres://user@localhost/name?host=%2Fdir`, which the driver would misread, and
 * of several servers, `postgres://user@one:5432,two:5432/name`: each connection is to the first that takes writes.
 * @see https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { deadlineMs = defaultDeadlineMs, directUrl = null, ...given } = options;
  const common = { types: { bigint: bigintAsNumber }, onnotice: () => undefined, ...given };
  const own = openDriver(directUrl ?? url, {
    ...common,
    connection: {
      // Compiling (jit) takes a search from 20 ms to over a second.
      ...(deadlineMs !== null && { statement_timeout: deadlineMs, jit: "off" }),
      ...given.connection,
    },
  });
  const driver = directUrl === null ? own : openPooled(url, common);
  const pool = new ConnectionPool(driver, limitsOf(driver, deadlineMs));
  const dependents = new Set<EndConnection>();
  return statementsOver({
    driver,
    direct: own,
    dependents,
    run: (send) => pool.run(send),
    begin: (work) => pool.run((connection) => transactionOn(connection, () => work(connection))),
    end: async ({ timeout } = {}) => {
      // A statement awaited in the same turn of the event loop comes before.
      await Promise.resolve();
      const withinMs = timeout === undefined ? undefined : timeout * 1_000;
      const ends = [...dependents].map((end) => end(withinMs));
      await Promise.all([...ends, pool.end(withinMs ?? null)]);
    },
  });
}

function openDriver(url: string, settings: ConnectOptions): postgres.Sql {
  const socket = unixSocket(url);
  if (!socket) return postgres(url, settings);
  return postgres(socket.url, { ...settings, path: socket.path });
}

/** Poolers refuse most settings of a session and prepared statements. */
function openPooled(url: string, given: ConnectOptions): postgres.Sql {
  const name = given.connection?.application_name;
  const connection = name === undefined ? {} : { application_name: name };
  return openDriver(url, { ...given, prepare: false, connection });
}

function limitsOf({ options }: postgres.Sql, deadlineMs: number | null): PoolLimits {
  const { max, idle_timeout: idleSeconds } = options;
  // The driver's default is a function, which its types do not say.
  const given: unknown = options.max_lifetime;
  const lifetimeSeconds: unknown = typeof given === "function" ? given() : given;
  return {
    max,
    deadlineMs: deadlineMs === null ? null : deadlineMs + graceMs,
    idleMs: idleSeconds ? idleSeconds * 1_000 : null,
    lifetimeMs: typeof lifetimeSeconds === "number" ? lifetimeSeconds * 1_000 : null,
  };
}

/** Numbers stay far below 2^53. */
const bigintAsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/**
 * A pool the program opened itself would give `bigint` as text and may rename columns. @throws {InvalidArgumentError}
 * for such a pool, and for anything else.
 */
export function readableStatements(pool: Sql | postgres.Sql): Sql {
  const isReadable = isPort(pool) || readsAlike(pool as postgres.Sql | undefined);
  if (isReadable) return statementsOf(pool);
  throw new InvalidArgumentError(
    "Storage in Postgres takes a pool of `connect`, or one of `postgres` that reads `bigint` as a number and has no `transform`.",
  );
}

function readsAlike(pool: Partial<postgres.Sql> | undefined): boolean {
  const { parsers, transform } = pool?.options ?? {};
  const renames = [transform?.column, transform?.value, transform?.row].some((each) => each?.from);
  return parsers?.[bigintAsNumber.to]?.("1") === 1 && !renames;
}

/** `null` for a TCP address, also of several servers, which `URL` cannot read. */
export function unixSocket(url: string): { url: string; path: string } | null {
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  const directory = address.searchParams.get("host");
  if (!directory?.startsWith("/")) return null;
  const port = address.searchParams.get("port") ?? (address.port || "5432");
  address.searchParams.delete("host");
  address.searchParams.delete("port");
  return { url: address.href, path: `${directory}/.s.PGSQL.${port}` };
}
