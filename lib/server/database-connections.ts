import type { Sql } from "postgres";
import { connect } from "@/lib/postgres";

export interface DatabaseConnections {
  readonly sql: Sql;
  /** Commits without waiting for the disk; only for chunks of running answers. */
  readonly chunkSql: Sql;
}

const statementTimeoutMs = 10_000;
/** Seconds: soon enough to notice a returning database, without flooding one that is down. */
const backoff = (attempt: number) => Math.min(0.5, 0.05 * 2 ** attempt);

export function openConnections(databaseUrl: string): DatabaseConnections {
  const common = { connect_timeout: 5, backoff, onnotice: () => undefined };
  const sql = connect(databaseUrl, {
    ...common,
    max: 4,
    idle_timeout: 300,
    connection: {
      application_name: "grove",
      statement_timeout: statementTimeoutMs,
      lock_timeout: 5_000,
    },
  });
  const chunkSql = connect(databaseUrl, {
    ...common,
    max: 2,
    connection: {
      application_name: "grove-chunks",
      statement_timeout: statementTimeoutMs,
      synchronous_commit: "off",
    },
  });
  return { sql, chunkSql };
}
