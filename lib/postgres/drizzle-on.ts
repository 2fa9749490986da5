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
