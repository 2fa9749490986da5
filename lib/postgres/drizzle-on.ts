import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import type { Sql } from "postgres";

/** A pool, one of its connections, or a transaction. */
export type Connection = Pick<Sql, "unsafe">;

export type Database = PgRemoteDatabase<Record<string, never>>;

const databases = new WeakMap<Connection, Database>();

/**
 * `drizzle-orm/postgres-js` would replace the pool's date parsers for raw queries; this only passes on text and
 * parameters.
 */
export function drizzleOn(sql: Connection): Database {
  const known = databases.get(sql);
  if (known) return known;
  const run: Parameters<typeof drizzle>[0] = async (text, params, method) => {
    const statement = sql.unsafe(text, params, { prepare: true });
    try {
      return { rows: method === "all" ? await statement.values() : await statement };
    } catch (error) {
      // Drizzle's error lists the parameters, which would leak texts to the log.
      return {
        get rows(): never {
          throw error;
        },
      };
    }
  };
  const database = drizzle(run, {}, dialectWithTableNames);
  databases.set(sql, database);
  return database;
}

/**
 * In a selection from one table Drizzle 0.45 leaves the table out of column names, so that a subquery which refers to
 * that table would compare its own columns with themselves, across owners.
 */
function dialectWithTableNames(): PgDialect {
  const dialect = new PgDialect();
  const build: unknown = Reflect.get(dialect, "buildSelection");
  if (typeof build !== "function") throw new Error("Drizzle builds selections in another method.");
  const buildSelection = (fields: unknown) => Reflect.apply(build, dialect, [fields]);
  return Object.assign(dialect, { buildSelection });
}

interface Prepared<Values, Result> {
  execute(values: Values): Promise<Result>;
}

/** For frequent statements: Drizzle needs 0.1 to 0.3 ms to build one. `values` are those of its placeholders. */
export function preparedOnce<Values extends Record<string, unknown>, Result>(
  build: (db: Database) => Prepared<Values, Result>,
): (db: Database, values: Values) => Promise<Result> {
  const statements = new WeakMap<Database, Prepared<Values, Result>>();
  return (db, values) => {
    const statement = statements.get(db) ?? build(db);
    statements.set(db, statement);
    return statement.execute(values);
  };
}
