import type postgres from "postgres";
import { Fragment, type Parameter, type Query, type Sql, type UnsafeOptions } from "./sql";

/** A pool of the driver, or one of its transactions. */
export type Driver = Pick<postgres.Sql, "unsafe">;
export type Send<Outcome> = (driver: Driver) => PromiseLike<Outcome>;
/** `undefined` gives statements in flight a second. */
export type EndConnection = (withinMs: number | undefined) => Promise<void>;

/** The connections below a `Sql`. */
export interface Connections extends Pick<Sql, "end"> {
  /** Has the settings of new connections. */
  readonly driver: Pick<postgres.Sql, "options">;
  readonly direct: Pick<postgres.Sql, "options">;
  /** Connections opened beside these, which end with them. */
  readonly dependents: Set<EndConnection>;
  run<Outcome>(send: Send<Outcome>): Promise<Outcome>;
  begin<Outcome>(work: (driver: Driver) => Promise<Outcome>): Promise<Outcome>;
}

/** @throws to refuse the statement. */
type Intercept = (query: Query) => Query;

interface SendingStatement {
  readonly connections: Connections;
  readonly intercept: Intercept;
}

/** Next loads this module more than once, and copies use each other's statements. */
const sendingKey = Symbol.for("grove-session.sending");
const ofPools = new WeakMap<object, Sql>();

/** A pool that the program opened itself has the driver's reconnecting and no deadline. */
export function statementsOf(pool: Sql | postgres.Sql): Sql {
  if (isPort(pool)) return pool;
  const known = ofPools.get(pool);
  if (known) return known;
  const made = statementsOver({
    driver: pool,
    direct: pool,
    dependents: new Set(),
    run: async (send) => send(pool),
    begin: <Outcome>(work: (driver: Driver) => Promise<Outcome>) =>
      pool.begin(work) as Promise<Outcome>,
    end: ({ timeout } = {}) => pool.end(timeout === undefined ? undefined : { timeout }),
  });
  ofPools.set(pool, made);
  return made;
}

export function isPort(pool: Sql | postgres.Sql): pool is Sql {
  return typeof pool === "function" && "stream" in pool;
}

export function statementsOver(connections: Connections): Sql {
  return intercepted({ connections, intercept: (query) => query });
}

/** The same connections, with `intercept` before each statement. */
export function interceptedStatements(sql: Sql, intercept: Intercept): Sql {
  const { connections, intercept: below } = sendingOf(sql);
  return intercepted({ connections, intercept: (query) => below(intercept(query)) });
}

/** The connections that statements of `sql` are sent on. */
export function connectionsBelow(sql: Sql): Connections {
  return sendingOf(sql).connections;
}

/**
 * Runs `work` within a transaction, again when the server rolls it back in favour of another. The deadline is that of
 * all its statements together.
 */
export function transaction<Outcome>(
  sql: Sql,
  work: (sql: Sql) => Promise<Outcome>,
): Promise<Outcome> {
  const { connections, intercept } = sendingOf(sql);
  return connections.begin((driver) => {
    const run: Connections["run"] = async (send) => send(driver);
    return work(intercepted({ connections: { ...connections, run }, intercept }));
  });
}

function sendingOf(sql: Sql): SendingStatement {
  const { [sendingKey]: sending } = sql as { readonly [sendingKey]?: SendingStatement };
  if (!sending) throw new Error("These statements have no connections.");
  return sending;
}

function intercepted(sending: SendingStatement): Sql {
  const call = (texts: TemplateStringsArray, ...values: readonly unknown[]) =>
    new LazyStatement({ texts, values }, { prepare: true, simple: false }, sending);
  const unsafe = (
    text: string,
    parameters: readonly Parameter[] = [],
    options: UnsafeOptions = {},
  ) => {
    const form = { prepare: false, simple: parameters.length === 0, ...options };
    return new LazyStatement({ texts: [text], parameters }, form, sending);
  };
  const stream = async (statement: LazyStatement, each: (row: unknown) => void) => {
    await statement.send(each);
  };
  const end: Sql["end"] = (options) => sending.connections.end(options);
  return Object.assign(call, { unsafe, stream, end, [sendingKey]: sending }) as unknown as Sql;
}

interface GivenValue {
  readonly texts: readonly string[];
  readonly values?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
}

interface StatementForm extends UnsafeOptions {
  /** One message of any number of statements, without parameters. */
  readonly simple: boolean;
}

class LazyStatement extends Fragment implements Promise<unknown> {
  readonly [Symbol.toStringTag] = "Statement";
  readonly #parameters: readonly Parameter[] | undefined;
  readonly #form: StatementForm;
  readonly #sending: SendingStatement;
  #sent: Promise<unknown> | null = null;

  constructor(
    { texts, values, parameters }: GivenValue,
    form: StatementForm,
    sending: SendingStatement,
  ) {
    super(texts, values);
    this.#parameters = parameters;
    this.#form = form;
    this.#sending = sending;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is sent when somebody waits for it
  then<Value = unknown, Failure = never>(
    fulfilled?: ((value: unknown) => Value | PromiseLike<Value>) | null,
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#once().then(fulfilled, rejected);
  }

  catch<Failure = never>(
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<unknown> {
    return this.#once().catch(rejected);
  }

  finally(settled?: (() => void) | null): Promise<unknown> {
    return this.#once().finally(settled);
  }

  override query(): Query {
    const { text, parameters } = super.query();
    return { text, parameters: this.#parameters ?? parameters };
  }

  async send(each?: (row: unknown) => void): Promise<unknown> {
    const { connections, intercept } = this.#sending;
    const { text, parameters } = intercept(this.query());
    const { rows, ...form } = this.#form;
    const result: unknown = await connections.run<unknown>((driver) => {
      const query = driver.unsafe(text, parameters as postgres.ParameterOrJSON<never>[], form);
      if (each) return query.forEach(each);
      return rows === "arrays" ? query.values() : query;
    });
    return withoutHoles(result);
  }

  #once(): Promise<unknown> {
    this.#sent ??= this.send();
    return this.#sent;
  }
}

/**
 * The driver goes on counting rows of a statement that failed amid them: the next one of its connection begins with as
 * many holes, and seems to have found nothing. @see https://github.com/porsager/postgres/issues/1181
 */
function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  let holes = 1;
  while (holes < result.length && !(holes in result)) holes++;
  result.splice(0, holes);
  return result;
}
