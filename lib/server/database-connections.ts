import type { Sql } from "grove-session/postgres";
import { connect } from "grove-session/postgres";

export interface DatabaseConnections {
  readonly sql: Sql;
  /** Commits without waiting for the disk; only for chunks of running answers. */
  readonly chunkSql: Sql;
}

/** A request on a silent database, with the attempt of a later statement, ends within 10 s. */
const deadlineMs = 6_000;

export function openConnections(
  databaseUrl: string,
  directUrl: string | null = null,
): DatabaseConnections {
  const common = { connect_timeout: 5, deadlineMs, directUrl };
  const sql = connect(databaseUrl, {
    ...common,
    max: 4,
    idle_timeout: 300,
    connection: { application_name: "grove", lock_timeout: 5_000 },
  });
  const chunkSql = connect(databaseUrl, {
    ...common,
    max: 2,
    connection: { application_name: "grove-chunks", synchronous_commit: "off" },
  });
  return { sql, chunkSql };
}
