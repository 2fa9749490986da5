import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { InMemorySessionStore, SessionManager, type SessionStore } from "../../session";
import {
  ArchiveFailedError,
  ExportDamagedError,
  parseSessionText,
  type SessionArchive,
  sessionText,
} from "../../session/internal";
import { appendNumbered, user } from "../../session/testing";
import { growTrees } from "../../session/testing/programs/run-tree-program";
import { treePrograms } from "../../session/testing/programs/tree-program";
import { shownBy } from "../../session/testing/shown-by";
import { connect } from "../connect";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { exportLines } from "./export-records";
import { importLines } from "./import-lines";

// `npm run test:deep` asks for more.
const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);
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
  test(`shows the same in ${to}, whatever its tree`, {
    tags: "long",
    timeout: 300_000,
  }, async () => {
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
    await fc.assert(property, { numRuns: 6 * deep });
  });
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

test("an import that the database breaks off leaves nothing, and works when repeated", {
  tags: "long",
}, async () => {
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

describe.each([1, 3])("a pool of %i", (max) => {
  test("imports as many sessions at once as it has connections", async () => {
    const pool = connect(database.url, { max });
    onTestFinished(() => pool.end());
    const [store, other] = [inPostgres(), new PostgresSessionStore(pool, crypto.randomUUID())];
    const ids = Array.from({ length: max }, (_, n) => `tea-${n}`);
    for (const id of ids) await store.sessions.create(id, { id });
    const all = await Promise.all(ids.map((id) => store.sessions.export(id)));
    await Promise.all(all.map((each) => other.sessions.import(each)));
    expect((await other.sessions.list()).sessions).toHaveLength(max);
  });

  test("imports as many files at once as it has connections", async () => {
    const pool = connect(database.url, { max });
    onTestFinished(() => pool.end());
    const store = inPostgres();
    await store.sessions.create("Tea", { id: "tea" });
    const text = sessionText(await store.sessions.export("tea"));
    const imports = Array.from({ length: max }, () =>
      importLines(pool, linesOf(text), { ownerId: crypto.randomUUID() }),
    );
    for (const report of await Promise.all(imports)) expect(report.sessions.imported).toBe(1);
  });
});

test("a refused import leaves the deleted session of its id restorable", async () => {
  const [store, other] = [inPostgres(), inPostgres()];
  await store.sessions.create("Tea", { id: "tea" });
  await appendNumbered(store.messages("tea"), 3);
  await other.sessions.create("Old tea", { id: "tea" });
  await other.messages("tea").appendMessage(user("old"));
  await other.sessions.delete("tea");
  const exported = await store.sessions.export("tea");
  const broken = { ...exported, session: { ...exported.session, model: "a\u0000b" } };
  await expect(other.sessions.import(broken)).rejects.toThrow(ExportDamagedError);
  await other.sessions.restore("tea");
  expect((await other.messages("tea").getHistory()).map(({ id }) => id)).toEqual(["old"]);
});

test.each([
  ["a session id that is too long", "x".repeat(201)],
  ["a session id with a null character", "a\u0000b"],
])("an import with %s is refused", async (_, id) => {
  const store = inPostgres();
  await store.sessions.create("Tea", { id: "tea" });
  const exported = await store.sessions.export("tea");
  const renamed = { ...exported, session: { ...exported.session, id } };
  await expect(store.sessions.import(renamed)).rejects.toThrow(ExportDamagedError);
});

test("an import whose connection is lost fails and leaves the deleted session restorable", async () => {
  const [store, other] = [inPostgres(), inPostgres()];
  await store.sessions.create("Tea", { id: "tea" });
  await appendNumbered(store.messages("tea"), 3);
  const exported = await store.sessions.export("tea");
  await other.sessions.create("Old tea", { id: "tea" });
  await other.sessions.delete("tea");
  await database.sql.unsafe(`
    create function hang_up() returns trigger language plpgsql security definer as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger hang_up before insert on chat_message
      for each row when (new.owner_id = '${other.ownerId}') execute function hang_up();`);
  await expect(other.sessions.import(exported)).rejects.toThrow();
  await database.sql.unsafe("drop trigger hang_up on chat_message");
  expect(await other.sessions.restore("tea")).toMatchObject({ name: "Old tea" });
});

test("an export shows one moment, whatever is deleted meanwhile", async () => {
  const store = inPostgres();
  await store.sessions.create("Tea", { id: "tea" });
  await appendNumbered(store.messages("tea"), 3);
  const lines: string[] = [];
  for await (const line of exportLines(database.sql, {
    ownerId: store.ownerId,
    sessionId: "tea",
  })) {
    if (lines.length === 1) await store.messages("tea").deleteMessages(["m3"]);
    lines.push(line);
  }
  const { session, messages } = parseSessionText(lines.join(""));
  expect([session.activeLeafId, messages.map(({ id, type }) => [id, type])]).toEqual([
    "m3",
    [
      ["m1", "message"],
      ["m2", "message"],
      ["m3", "message"],
    ],
  ]);
});

async function* linesOf(text: string) {
  yield* text.split("\n");
}
