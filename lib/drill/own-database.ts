import type { Sql } from "postgres";
import { withTemporaryFolder } from "@/lib/bench/grove-process";
import { connect } from "@/lib/postgres/connect";
import { startEmbeddedPostgres } from "@/lib/postgres/embedded/start-embedded-postgres";
import { migrate } from "@/lib/postgres/migrate";

/** An embedded Postgres with an empty schema, for one part that does not harm it. */
export function onOwnDatabase<Result>(act: (sql: Sql) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (dataDir) => {
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
    const sql = connect(server.url, { max: 4, onnotice: () => undefined });
    try {
      await migrate(sql);
      return await act(sql);
    } finally {
      await sql.end({ timeout: 1 });
      await server.stop();
    }
  });
}
