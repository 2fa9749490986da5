import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { PostgresSettings } from "@/lib/postgres/runs/postgres-settings";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { countData, deleteEverything } from "./delete-rows";
import { exportedLines, fullOwner, withoutTimes } from "./testing/full-owner";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const storeOf = (owner: string) => new PostgresSessionStore(database.sql, owner);

const exported = (owner: string, sessionId?: string) =>
  exportedLines(database.sql, owner, sessionId);

describe("deleting everything", () => {
  test("leaves no row of the owner in any table, and every row of others", async () => {
    const [owner, other] = [await fullOwner(database.sql), await fullOwner(database.sql)];
    const theirs = await exported(other);
    expect(await countData(database.sql, owner)).toEqual({
      sessions: 2,
      messages: 5,
      documents: 3,
      providers: 1,
      calls: 1,
    });
    const agents = [owner, other].map((each) => storeOf(each).namespace("agent"));
    for (const agent of agents) await agent.sessions.create("Agent", { id: "a" });
    expect((await deleteEverything(database.sql, owner)).toSorted()).toEqual(["fork", "tea"]);
    expect(await Promise.all(agents.map(({ sessions }) => sessions.get("a")))).toEqual([
      null,
      expect.objectContaining({ name: "Agent" }),
    ]);
    const tables = await database.sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'owner_id' and table_name <> 'chat_owner'`;
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const rows = await database.sql`
        select from ${database.sql(name)} where owner_id = ${owner}`;
      expect(rows, name).toHaveLength(0);
    }
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(theirs));
    expect(await new PostgresSettings(database.sql, owner).read()).toEqual({ exampleMade: true });
  });

  test("leaves release notes read", async () => {
    const owner = crypto.randomUUID();
    const settings = new PostgresSettings(database.sql, owner);
    await settings.change({ seenVersion: "1.2.3", memoryMode: "off" });
    await deleteEverything(database.sql, owner);
    expect(await settings.read()).toEqual({ exampleMade: true, seenVersion: "1.2.3" });
  });
});
