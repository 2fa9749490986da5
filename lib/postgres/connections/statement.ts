import type { PendingQuery, Row, Sql } from "postgres";
import { DatabaseConnectionError } from "./database-connection-error";
import type { Send } from "./single-connection";

type Query = PendingQuery<Row[]>;
type Build = (driver: Sql) => Query;
type Run = <Result>(send: Send<Result>) => Promise<Result>;

/**
 * The driver's interface, with `run` choosing the connection of each statement. Cursors, copies, `begin`, `reserve` and
 * `listen` stay those of `driver`.
 */
export function statementsOver(driver: Sql, run: Run): Sql {
  const call = (first: unknown, ...rest: readonly unknown[]) => {
    const values = [first, ...rest].map(fragmentsOf);
    if (!isTemplate(first)) return Reflect.apply(driver, undefined, values);
    return new Statement(driver, run, (sql) => Reflect.apply(sql, undefined, values));
  };
  const unsafe = (...given: Parameters<Sql["unsafe"]>) =>
    new Statement(driver, run, (sql) => sql.unsafe(...given));
  return Object.assign(call, driver, { unsafe }) as unknown as Sql;
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

function isRow(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Sent when awaited, once. */
class Statement implements Promise<unknown> {
  readonly [Symbol.toStringTag] = "Statement";
  readonly #driver: Sql;
  readonly #run: Run;
  readonly #build: Build;
  #sent: Promise<unknown> | null = null;
  #query: Query | null = null;
  #isCancelled = false;

  constructor(driver: Sql, run: Run, build: Build) {
    this.#driver = driver;
    this.#run = run;
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
    return this.#build(this.#driver);
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
    return this.#run((sql) => this.#build(sql).forEach(...given));
  }

  cursor(...given: readonly unknown[]): unknown {
    const query = this.fragment();
    return Reflect.apply(query.cursor, query, given);
  }

  readable(): ReturnType<Query["readable"]> {
    return this.fragment().readable();
  }

  writable(): ReturnType<Query["writable"]> {
    return this.fragment().writable();
  }

  #with(change: (query: Query) => PromiseLike<unknown>): Statement {
    return new Statement(this.#driver, this.#run, (sql) => change(this.#build(sql)) as Query);
  }

  #send(): Promise<unknown> {
    this.#sent ??= this.#isCancelled
      ? Promise.reject(new DatabaseConnectionError("57014"))
      : this.#run((sql) => {
          this.#query = this.#build(sql);
          return this.#query;
        });
    return this.#sent;
  }
}
