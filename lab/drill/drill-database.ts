import type { Sql } from "grove-session/postgres";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { connect } from "@/lib/postgres/connect";
import { migrate } from "@/lib/postgres/migrate";
import { type DatabaseConnections, openConnections } from "@/lib/server/database-connections";
import { ensureCluster } from "@/lib/storage/embedded/cluster";
import { EmbeddedPostgresError } from "@/lib/storage/embedded/embedded-postgres-error";
import { addressOf, adminAddress, chooseListen, forgetListen } from "@/lib/storage/embedded/listen";
import { placeCluster } from "@/lib/storage/embedded/placement";
import { connectOnce } from "@/lib/storage/embedded/probe";
import { type Server, startServer, stopServer } from "@/lib/storage/embedded/server";

export interface DrillDatabase {
  readonly adminUrl: string;
  readonly url: string;
  readonly connections: DatabaseConnections;
  readonly patientSql: Sql;
  /** Ends the server without a checkpoint and starts it again; resolves once it accepts connections. */
  restart(): Promise<void>;
}

/** Starts a Postgres with production settings and an empty schema, for one part. `through` changes its address. */
export function onDrillDatabase<Result>(
  act: (database: DrillDatabase) => Promise<Result>,
  {
    through = (url) => url,
    isDurable = true,
  }: {
    through?: (url: string) => string | Promise<string>;
    /** False: no statement waits for the disk, in parts that test no crash. */
    isDurable?: boolean;
  } = {},
): Promise<Result> {
  return withTemporaryFolder(async (dataDir) => {
    const placement = await placeCluster({ dataDir, log: () => undefined });
    await ensureCluster(placement);
    const listen = await chooseListen(placement, "socket");
    const start = async (): Promise<Server> => {
      const server = await startServer(placement, {
        listen,
        settings: isDurable ? {} : { fsync: "off", full_page_writes: "off" },
      });
      if (server) return server;
      throw new EmbeddedPostgresError("Another server uses the drill's folder.", {
        code: "in-use",
      });
    };
    let server = await start();
    const adminUrl = adminAddress(listen);
    await createDatabase(adminUrl);
    const url = await through(addressOf(listen, { user: "postgres", database: "grove" }));
    const connections = openConnections(url);
    const patientSql = connect(url, { max: 10, deadlineMs: null });
    try {
      await migrate(connections.sql);
      const restart = async () => {
        server.kill();
        await server.exited;
        server = await start();
      };
      return await act({ adminUrl, url, connections, patientSql, restart });
    } finally {
      const { sql, chunkSql } = connections;
      await Promise.all([sql, chunkSql, patientSql].map((pool) => pool.end({ timeout: 1 })));
      await stopServer(placement);
      await server.exited;
      await forgetListen(listen, placement.folder);
    }
  });
}

async function createDatabase(adminUrl: string): Promise<void> {
  const sql = connectOnce(adminUrl);
  await sql`create database grove`.finally(() => sql.end({ timeout: 1 }));
}
