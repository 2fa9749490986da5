import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";
import { connect } from "../connect";
import { identifier } from "../connections/sql";
import { startInstalledPostgres } from "./installed-postgres";
import { temporaryDataDir } from "./temporary-data-dir";

export interface TestServer {
  /** A superuser, or a user who may create databases. */
  adminUrl: string;
  /** The databases' user; `null` for the same one. */
  applicationUser: string | null;
  prefix: string;
}

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

const settings = { fsync: "off", full_page_writes: "off", max_connections: "200" };

/**
 * Starts one real Postgres for all storage tests: the embedded one, the one in the folder TEST_POSTGRES, or the
 * server at TEST_DATABASE_URL. Removes everything afterwards.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `grove_test_${randomBytes(4).toString("hex")}`;
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    project.provide("testServer", { adminUrl: given, applicationUser: null, prefix });
    return () => dropDatabases(given, prefix);
  }
  const dataDir = await temporaryDataDir();
  const installed = process.env.TEST_POSTGRES;
  const server = await (installed
    ? startInstalledPostgres(installed, { dataDir, settings })
    : startEmbeddedPostgres({ dataDir, settings }));
  const applicationUser = installed ? null : "grove";
  project.provide("testServer", { adminUrl: server.adminUrl, applicationUser, prefix });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  const sql = connect(adminUrl, { max: 1, onnotice: () => undefined });
  const names = await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${prefix})`;
  for (const { name } of names) await sql`drop database if exists ${identifier(name)} with (force)`;
  await sql.end();
}
