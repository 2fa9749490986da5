import { drizzle, type PgRemoteDatabase } from "drizzle-orm/pg-proxy";
import type { Sql } from "postgres";

/** A pool, one of its connections, or a transaction. */
export type Connection = Pick<Sql, "unsafe">;

export type Database = PgRemoteDatabase<Record<string, never>>;

const databases = new WeakMap<Connection, Database>();

/**
 * Returns Drizzle's query builder on the connections of `sql`, with the types of `schema.ts`.
 *
 * `drizzle-orm/postgres-js` would replace the date parsers and serializers of the pool for every raw query beside it; this
 * only hands over text and parameters. Prepared statements are kept for each connection, as for raw queries.
 */
export function drizzleOn(sql: Connection): Database {
  const known = databases.get(sql);
  if (known) return known;
  const database = drizzle(async (text, params, method) => {
    const statement = sql.unsafe(text, params, { prepare: true });
    try {
      return { rows: method === "all" ? await statement.values() : await statement };
    } catch (error) {
      // A rejection would be wrapped in an error that lists the parameters, so that texts of a person reached the log.
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
