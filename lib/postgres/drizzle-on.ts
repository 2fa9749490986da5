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
  const database = drizzle(async (text, params, method) => {
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
  });
  databases.set(sql, database);
  return database;
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
