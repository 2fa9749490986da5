import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { notificationsArrive } from "@/lib/storage/notifications-arrive";
import { Session } from "../session";
import { type ConnectOptions, connect } from "./connect";
import { inTransaction, ownConnection } from "./connections/own-connection";
import { drizzleOn } from "./drizzle-on";
import { PostgresSessionStore } from "./index";
import { Notifications } from "./notifications";
import { findPgBouncer, type PgBouncer, startPgBouncer } from "./testing/pgbouncer";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

const program = findPgBouncer();

describe.skipIf(program === null)("behind PgBouncer, which pools transactions,", () => {
  let database: TestDatabase;
  let pooler: PgBouncer;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(program ?? "", database.url);
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  function pool(options: ConnectOptions = { directUrl: database.url }) {
    const sql = connect(pooler.url, options);
    onTestFinished(() => sql.end({ timeout: 0 }));
    return sql;
  }

  test("a pool without a direct address is refused for its settings", async () => {
    await expect(pool({ max: 1 })`select 1`).rejects.toThrow(
      "unsupported startup parameter: statement_timeout",
    );
  });

  test("statements of many connections do not mix", async () => {
    const pools = Array.from({ length: 6 }, () => pool());
    const asked = Array.from({ length: 300 }, (_, n) => n).map(async (n) => {
      const sql = pools[n % pools.length] ?? pool();
      const [row] = await sql<[{ n: number }]>`select ${n}::int as n`;
      const drizzled = await drizzleOn(sql).execute(`select ${n} as n`);
      return [row.n, (drizzled as unknown as { n: number }[])[0]?.n];
    });
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 300 }, (_, n) => [n, n]));
  });

  test("a store keeps what many write at once", async () => {
    const sessions = [pool(), pool(), pool()].map((sql) =>
      Session.create(new PostgresSessionStore(sql, "pooled")).forSession("s"),
    );
    const ids = Array.from({ length: 60 }, (_, n) => `m${n}`);
    await Promise.all(
      ids.map((id, n) =>
        sessions[n % 3]?.appendMessage({ id, role: "user", parts: [{ type: "text", text: id }] }),
      ),
    );
    const kept = await database.sql`select id from chat_message where owner_id = 'pooled'`;
    expect(kept.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  test("locks and transactions have a connection without it", async () => {
    const sql = pool();
    const own = ownConnection(sql);
    await own`select pg_advisory_lock(7)`;
    const [row] = await database.sql<[{ held: number }]>`
      select count(*)::int as held from pg_locks where locktype = 'advisory' and objid = 7`;
    expect(row.held).toBe(1);
    await own.end();
    expect(
      await inTransaction(sql, "write", async (each) => (await each`select 1 as n`)[0]),
    ).toEqual({
      n: 1,
    });
  });

  test("messages reach the other processes", async () => {
    const [here, there] = [new Notifications(pool()), new Notifications(pool())];
    await there.start();
    onTestFinished(() => there.stop());
    const received: unknown[] = [];
    there.on("topic", (body) => received.push(body));
    here.send("topic", "hello");
    await expect.poll(() => received).toEqual(["hello"]);
  });

  test("the probe finds notifications with a direct address, and misses them without", {
    tags: "long",
  }, async () => {
    expect(await notificationsArrive(pool())).toBe(true);
    expect(await notificationsArrive(pool({ directUrl: pooler.url, deadlineMs: null }))).toBe(
      false,
    );
  });
});

test("the probe finds notifications on a plain database", async () => {
  const database = await createTestDatabase({ migrated: false });
  onTestFinished(() => database.drop());
  expect(await notificationsArrive(database.sql)).toBe(true);
});
