import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connect } from "../connect";
import { identifier, type Sql } from "../connections/sql";
import { migrate } from "../migrate";
import type { TestServer } from "./database-server";

export interface TestDatabase {
  url: string;
  sql: Sql;
  /** Closes `sql` and drops the database, even with other connections. */
  drop(): Promise<void>;
}

const templateLock = 7_454_127_526;

/** Copies a migrated template; without `migrated`, creates an empty database. */
export async function createTestDatabase({
  migrated = true,
}: {
  migrated?: boolean;
} = {}): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `${server.prefix}_${randomBytes(6).toString("hex")}`;
  await asAdmin(server, async (admin) => {
    const template = migrated ? await ensureTemplate(admin, server) : "template0";
    await createDatabase(admin, { name, template, server });
  });
  const url = databaseUrl(server, name);
  const sql = connect(url, { onnotice: () => undefined });
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 1 });
      await asAdmin(
        server,
        (admin) => admin`drop database if exists ${identifier(name)} with (force)`,
      );
    },
  };
}

async function ensureTemplate(admin: Sql, server: TestServer): Promise<string> {
  const name = `${server.prefix}_template`;
  // Test files run in parallel: the first one migrates, the others wait.
  await admin`select pg_advisory_lock(${templateLock})`;
  const [found] = await admin`
    select 1 from pg_database where datname = ${name} and not datallowconn`;
  if (!found) {
    await admin`drop database if exists ${identifier(name)}`;
    await createDatabase(admin, { name, template: "template0", server });
    const sql = connect(databaseUrl(server, name), { max: 3, onnotice: () => undefined });
    await migrate(sql)
      // Ids count down here, so that a statement that takes them for an order gives a wrong answer.
      .then(() => sql`alter sequence chat_branch_id increment by -1 restart with 1000000000`)
      .finally(() => sql.end());
    // Closed to connections once complete, so that copies succeed and an incomplete template is
    // rebuilt.
    await admin`alter database ${identifier(name)} allow_connections false`;
  }
  await admin`select pg_advisory_unlock(${templateLock})`;
  return name;
}

async function createDatabase(
  admin: Sql,
  { name, template, server }: { name: string; template: string; server: TestServer },
): Promise<void> {
  // Through the log, which is the default, a small database takes twice as long to be made and to be dropped.
  await admin`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`;
  if (server.applicationUser) {
    await admin`alter database ${identifier(name)} owner to ${identifier(server.applicationUser)}`;
  }
}

async function asAdmin(
  server: TestServer,
  act: (admin: Sql) => PromiseLike<unknown>,
): Promise<void> {
  const admin = connect(server.adminUrl, { max: 1, max_lifetime: null, onnotice: () => undefined });
  try {
    await act(admin);
  } finally {
    await admin.end({ timeout: 1 });
  }
}

function databaseUrl({ adminUrl, applicationUser }: TestServer, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  if (applicationUser) url.username = applicationUser;
  return url.href;
}
