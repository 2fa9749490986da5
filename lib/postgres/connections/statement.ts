import type { PendingQuery, Row, Sql } from "postgres";
import { DatabaseConnectionError } from "./database-connection-error";
import type { Send } from "./single-connection";

type Query = PendingQuery<Row[]>;
type Build = (driver: Sql) => Query;
type Run = <Result>(send: Send<Result>) => Promise<Result>;
/** Receives the parameters of each statement before it is sent. @throws to refuse it. */
type Check = (parameters: readonly unknown[]) => void;

interface Sending {
  readonly driver: Sql;
  readonly run: Run;
  readonly check: Check;
}

const sendings = new WeakMap<object, Sending>();

/** The same connections, with `check` before each statement. `null` for a pool that `statementsOver` did not make. */
export function checkedStatements(sql: Sql, check: Check): Sql | null {
  const sending = sendings.get(sql);
  if (!sending) return null;
  const { driver, run } = sending;
  const checkBoth: Check = (parameters) => {
    sending.check(parameters);
    check(parameters);
  };
  return Object.assign(statementsOver(driver, run, checkBoth), {
    reserve: sql.reserve,
    end: sql.end,
  });
}

/**
 * The driver's interface, with `run` choosing the connection of each statement. Cursors, copies, `begin`, `reserve` and
 * `listen` stay those of `driver`.
 */
export function statementsOver(driver: Sql, run: Run, check: Check = () => undefined): Sql {
  const sending = { driver, run, check };
  const call = (first: unknown, ...rest: readonly unknown[]) => {
    const given = [first, ...rest];
    const values = given.map(fragmentsOf);
    if (!isTemplate(first)) return Reflect.apply(driver, undefined, values);
    return new Statement(sending, rest, (sql) => Reflect.apply(sql, undefined, values));
  };
  const unsafe = (...given: Parameters<Sql["unsafe"]>) =>
    new Statement(sending, given[1] ?? [], (sql) => sql.unsafe(...given));
  const sql = Object.assign(call, driver, { unsafe }) as unknown as Sql;
  sendings.set(sql, sending);
  return sql;
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && "raw" in value;
}

/** Fragments of a statement are the driver's, which never sends them. */
function fragmentsOf(value: unknown): unknown {
  if (!holdsFragment(value)) return value;
  if (value instanceof Statement) return value.fragment();
  if (Array.isArray(value)) return value.map(fragmentsOf);
  return Object.fromEntries(
    Object.entries(value as object).map(([column, each]) => [column, fragmentsOf(each)]),
  );
}

/** In a list, or in the columns of a row. */
function holdsFragment(value: unknown): boolean {
  if (value instanceof Statement) return true;
  if (Array.isArray(value)) return value.some(holdsFragment);
  if (!isRow(value)) return false;
  return Object.values(value).some((each) => each instanceof Statement);
}

/** Of a value in a template: itself, or those of a fragment, of rows and of lists. */
function parametersOf(value: unknown): unknown[] {
  if (value instanceof Statement) return value.parameters();
  if (Array.isArray(value)) return value.flatMap(parametersOf);
  if (isRow(value)) return Object.values(value).flatMap(parametersOf);
  // The driver's own, which holds rows or names.
  if (typeof value === "object" && value !== null && "first" in value)
    return parametersOf(value.first);
  return [value];
}

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Sent when awaited, once. */
class Statement implements Promise<unknown> {
  readonly [Symbol.toStringTag] = "Statement";
  readonly #sending: Sending;
  readonly #given: readonly unknown[];
  readonly #build: Build;
  #sent: Promise<unknown> | null = null;
  #query: Query | null = null;
  #isCancelled = false;

  constructor(sending: Sending, given: readonly unknown[], build: Build) {
    this.#sending = sending;
    this.#given = given;
    this.#build = build;
  }

  // biome-ignore lint/suspicious/noThenProperty: like the driver's, it is sent when somebody waits for it
  then<Result = unknown, Failure = never>(
    fulfilled?: ((value: unknown) => Result | PromiseLike<Result>) | null,
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#send().then(fulfilled, rejected);
  }

  catch<Failure = never>(
    rejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<unknown> {
    return this.#send().catch(rejected);
  }

  finally(settled?: (() => void) | null): Promise<unknown> {
    return this.#send().finally(settled);
  }

  fragment(): Query {
    return this.#build(this.#sending.driver);
  }

  /** Those of its fragments, too. */
  parameters(): unknown[] {
    return this.#given.flatMap(parametersOf);
  }

  execute(): this {
    void this.#send();
    return this;
  }

  /** One that waits for a connection is sent nevertheless. */
  cancel(): void {
    this.#isCancelled = true;
    // The driver would lose the connection of a statement that it has not sent yet.
    if (!this.#query || !("state" in this.#query) || !this.#query.state) return;
    const cancelling: unknown = this.#query.cancel();
    // When the request to cancel fails, the statement goes on to its deadline.
    Promise.resolve(cancelling).catch(() => undefined);
  }

  simple(): Statement {
    return this.#with((query) => query.simple());
  }

  values(): Statement {
    return this.#with((query) => query.values());
  }

  raw(): Statement {
    return this.#with((query) => query.raw());
  }

  describe(): Statement {
    return this.#with((query) => query.describe());
  }

  forEach(...given: Parameters<Query["forEach"]>): Promise<unknown> {
    this.#check();
    return this.#sending.run((sql) => this.#build(sql).forEach(...given));
  }

  cursor(...given: readonly unknown[]): unknown {
    this.#check();
    const query = this.fragment();
    return Reflect.apply(query.cursor, query, given);
  }

  readable(): ReturnType<Query["readable"]> {
    this.#check();
    return this.fragment().readable();
  }

  writable(): ReturnType<Query["writable"]> {
    this.#check();
    return this.fragment().writable();
  }

  #with(change: (query: Query) => PromiseLike<unknown>): Statement {
    const build: Build = (sql) => change(this.#build(sql)) as Query;
    return new Statement(this.#sending, this.#given, build);
  }

  #send(): Promise<unknown> {
    this.#sent ??= this.#isCancelled
      ? Promise.reject(new DatabaseConnectionError("57014"))
      : this.#checked();
    return this.#sent;
  }

  async #checked(): Promise<unknown> {
    this.#check();
    const result: unknown = await this.#sending.run((sql) => {
      this.#query = this.#build(sql);
      return this.#query;
    });
    return withoutHoles(result);
  }

  #check(): void {
    this.#sending.check(this.parameters());
  }
}

/**
 * The driver goes on counting rows of a statement that failed amid them, as one that was ended for its time: the next
 * statement of its connection has that many holes before its first row, so it would seem to have found nothing.
 *
 * @see https://github.com/porsager/postgres/issues/1181
 */
function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  let holes = 1;
  while (holes < result.length && !(holes in result)) holes++;
  result.splice(0, holes);
  return result;
}
