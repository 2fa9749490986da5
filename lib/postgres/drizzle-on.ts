import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import type { Sql } from "./connections/sql";

export type Database = PgRemoteDatabase<Record<string, never>>;

const databases = new WeakMap<Sql, Database>();

/**
 * `drizzle-orm/postgres-js` would replace the pool's date parsers for raw queries. In a selection from one table
 * Drizzle 0.45 leaves the table out of column names: a subquery names the table itself, as `${chatSession}.owner_id`,
 * or it would compare its own columns with themselves, across owners.
 */
export function drizzleOn(sql: Sql): Database {
  const known = databases.get(sql);
  if (known) return known;
  const run: Parameters<typeof drizzle>[0] = async (text, params, method) => {
    const rows = method === "all" ? "arrays" : "objects";
    try {
      return { rows: await sql.unsafe(text, params, { prepare: true, rows }) };
    } catch (error) {
      // Drizzle's error lists the parameters, which would leak texts to the log.
      return {
        get rows(): never {
          throw error;
        },
      };
    }
  };
  const database = drizzle(run);
  databases.set(sql, database);
  return database;
}

interface Prepared<Values, Result> {
  execute(values: Values): Promise<Result>;
}

/** Drizzle needs 0.1 to 0.3 ms to build a statement. `values` fill the placeholders. */
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
