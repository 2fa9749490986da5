import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { InMemorySessionStore, SessionManager, type SessionStore } from "@/lib/session";
import { ArchiveFailedError, type SessionArchive, sessionText } from "@/lib/session/internal";
import { appendNumbered, user } from "@/lib/session/testing";
import { growTrees } from "@/lib/session/testing/programs/run-tree-program";
import { treePrograms } from "@/lib/session/testing/programs/tree-program";
import { shownBy } from "@/lib/session/testing/shown-by";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const inMemory = () => new InMemorySessionStore();
const inPostgres = () => new PostgresSessionStore(database.sql, crypto.randomUUID());

describe.each([
  { from: "memory", to: "Postgres", make: inMemory, makeOther: inPostgres },
  { from: "Postgres", to: "memory", make: inPostgres, makeOther: inMemory },
])("a session exported from $from", ({ to, make, makeOther }) => {
  test(`shows the same in ${to}, whatever its tree`, async () => {
    const property = fc.asyncProperty(treePrograms(30), async (program) => {
      const [store, other]: SessionStore[] = [make(), makeOther()];
      if (!store || !other) return;
      await growTrees(store, program);
      for (const { id } of (await store.sessions.list()).sessions) {
        await store.block({ label: "todos", sessionId: id }).set("- drink");
        const exported = await store.sessions.export(id);
        await other.sessions.import(exported);
        expect(await shownBy(other, id, ["todos"])).toEqual(await shownBy(store, id, ["todos"]));
      }
    });
    await fc.assert(property, { numRuns: 20 });
  }, 300_000);
});

test("memory keeps the records it has no place for, and exports them again", async () => {
  const [store, memory] = [inPostgres(), inMemory()];
  await store.sessions.create("Tea", { id: "tea" });
  const about = { description: "", maxTokens: null, kind: "searchable", writers: "both" } as const;
  const place = { sessionId: "tea", scope: "session" } as const;
  const { id: blockId } = await store.blocks.create({ label: "recipes", ...about, ...place });
  const recipes = store.blocks.searchable({ blockId, sessionId: "tea" });
  await recipes.write("oolong", { title: "Oolong", content: "Five minutes." });
  const exported = await store.sessions.export("tea");
  await memory.sessions.import(exported);
  expect(await memory.sessions.export("tea")).toEqual(exported);
});

test("an import that the database breaks off leaves nothing, and works when repeated", async () => {
  const [store, other] = [inPostgres(), inPostgres()];
  await store.sessions.create("Tea", { id: "tea" });
  await appendNumbered(store.messages("tea"), 450);
  await store.messages("tea").addCompaction("CANARY", "m1", "m2");
  const exported = await store.sessions.export("tea");
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
    create trigger refuse before insert on chat_compaction for each row execute function refuse();`);
  await expect(other.sessions.import(exported)).rejects.toThrow("refused");
  const archive = { get: async () => sessionText(exported) } as unknown as SessionArchive;
  const restoring = SessionManager.create(other).restoreFrom(archive, "tea");
  await expect(restoring).rejects.toThrow(ArchiveFailedError);
  await database.sql.unsafe("drop trigger refuse on chat_compaction");
  const [left] = await database.sql`
    select count(*)::integer as rows from chat_message where owner_id = ${other.ownerId}`;
  expect(left).toEqual({ rows: 0 });
  expect(await other.sessions.get("tea")).toBeNull();
  await other.sessions.import(exported);
  expect(await shownBy(other, "tea")).toEqual(await shownBy(store, "tea"));
});

test("an owner neither exports nor replaces the session of another", async () => {
  const [store, stranger] = [inPostgres(), inPostgres()];
  await store.sessions.create("Tea", { id: "tea" });
  await store.messages("tea").appendMessage(user("q1"));
  const exported = await store.sessions.export("tea");
  await expect(stranger.sessions.export("tea")).rejects.toThrow("does not exist");
  await store.sessions.delete("tea");
  await stranger.sessions.import(exported);
  await stranger.messages("tea").clearMessages();
  await store.sessions.restore("tea");
  expect(await store.messages("tea").getPathLength()).toBe(1);
});
