import type { Sql } from "grove-session/postgres";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { connect } from "@/lib/postgres/connect";
import { identifier } from "@/lib/postgres/connections/sql";
import { connectOnce } from "@/lib/storage/embedded/probe";
import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";

export interface DatabaseCopies {
  readonly folder: string;
  create(name: string, template?: string): Promise<string>;
  drop(name: string): Promise<void>;
}

/** An embedded Postgres for many databases of one part. */
export function withDatabaseCopies<Result>(
  act: (copies: DatabaseCopies) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder(async (folder) => {
    const settings = { fsync: "off", full_page_writes: "off" };
    const server = await startEmbeddedPostgres({ dataDir: folder, settings });
    const admin = connectOnce(server.adminUrl);
    try {
      return await act({
        folder,
        async create(name, template = "template0") {
          await admin`create database ${identifier(name)} template ${identifier(template)} owner grove`;
          const url = new URL(server.url);
          url.pathname = `/${name}`;
          return url.href;
        },
        drop: async (name) => void (await admin`drop database ${identifier(name)} with (force)`),
      });
    } finally {
      await admin.end({ timeout: 1 });
      await server.stop();
    }
  });
}

export async function onDatabase<Result>(
  url: string,
  act: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = connect(url, { max: 4, deadlineMs: null });
  return act(sql).finally(() => sql.end({ timeout: 1 }));
}
