import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { user } from "../../session/testing";
import { growTrees } from "../../session/testing/programs/run-tree-program";
import { treePrograms } from "../../session/testing/programs/tree-program";
import { PostgresBlocks } from "../memory/blocks";
import { fullOwner, shownBy, withoutTimes } from "./testing/full-owner";
import { portableDatabase } from "./testing/portable-database";

const database = portableDatabase();
const { newOwner, storeOf, exported, imported } = database;

const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

/** On a slow machine a failure is reported while it is still being shrunk. */
const inTime = { interruptAfterTimeLimit: 240_000 * deep, markInterruptAsFailure: true };

describe("an export", () => {
  test("read into an empty owner shows the same sessions, memory, usage and receipts", {
    tags: "long",
  }, async () => {
    const owner = await fullOwner(database.sql);
    const lines = await exported(owner);
    const other = newOwner();
    expect(await imported(other, lines)).toEqual({
      sessions: { imported: 2, already: 0, restored: 0, failed: 0 },
      documents: { imported: 4, already: 0, left: 0 },
      outcomes: ["tea", "fork"].map((id) => ({ id, sessionId: id, outcome: "imported" })),
      problems: [],
      problemCount: 0,
    });
    expect(await shownBy(database.sql, other)).toEqual(await shownBy(database.sql, owner));
    // The export of the copy is otherwise identical.
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(lines));
    const found = await storeOf(other).sessions.search("Another");
    expect(found.map(({ id }) => id)).toEqual(["b1"]);
  });

  test("of any tree comes back as the same tree", {
    tags: "long",
    timeout: 300_000 * deep,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(treePrograms(40), async (program) => {
        const owner = newOwner();
        await growTrees(storeOf(owner), program);
        const copy = newOwner();
        const report = await imported(copy, await exported(owner));
        expect(report.problems).toEqual([]);
        expect(await shownBy(database.sql, copy)).toEqual(await shownBy(database.sql, owner));
      }),
      { numRuns: 8 * deep, ...inTime },
    );
  });

  const summariesOverDeleted = [
    { of: "one that contained a newer one", tree: "a> b>a", summaries: "a-b b-b", gone: "a" },
    { of: "two that met", tree: "a> b>a c>b d>c e>d", summaries: "a-c b-d", gone: "b c" },
    { of: "one on a branch alone", tree: "a> b>a c>b d>a", summaries: "a-b", gone: "b" },
    { of: "one on two of three branches", tree: "a> b>a c>b d>b e>a", summaries: "a-b", gone: "b" },
    { of: "one that a path ended with", tree: "a> b>a", summaries: "a-b", gone: "b" },
    { of: "one with both ends gone", tree: "a> b>a c>b d>c e>d", summaries: "b-d", gone: "b d" },
    { of: "one with nothing left", tree: "a> b>a c>b d>c", summaries: "b-c a-d", gone: "b c" },
    { of: "one from a root that is gone", tree: "a> b>a c>b d>", summaries: "a-b", gone: "a" },
  ];

  test.each(summariesOverDeleted)(
    "shows what the original shows after a deletion: $of",
    { tags: "long" },
    async ({ tree, summaries, gone }) => {
      const owner = newOwner();
      const store = storeOf(owner);
      await store.sessions.create("Tea", { id: "tea" });
      const messages = store.messages("tea");
      for (const [id = "", parent] of tree.split(" ").map((each) => each.split(">")))
        await messages.appendMessage(user(id), parent || null);
      for (const range of summaries.split(" ")) {
        const [from = "", to = ""] = range.split("-");
        await messages.addCompaction(range, from, to);
      }
      await messages.deleteMessages(gone.split(" "));
      const lines = await exported(owner);
      const copy = newOwner();
      expect((await imported(copy, lines)).problems).toEqual([]);
      expect(await shownBy(database.sql, copy)).toEqual(await shownBy(database.sql, owner));
      expect(withoutTimes(await exported(copy))).toEqual(withoutTimes(lines));
    },
  );

  test("of a fork in which a message is called as one that was deleted before keeps them apart", async () => {
    const owner = newOwner();
    const store = storeOf(owner);
    await store.sessions.create("Tea", { id: "tea" });
    const messages = store.messages("tea");
    for (const id of ["a", "b", "c"]) await messages.appendMessage(user(id));
    await messages.addCompaction("a and b", "a", "b");
    await messages.deleteMessages(["b"]);
    await store.sessions.fork("tea", "c", "Fork", { id: "fork" });
    await store.messages("fork").appendMessage(user("b"));
    const copy = newOwner();
    expect((await imported(copy, await exported(owner))).problems).toEqual([]);
    const textsOf = async (of: string) =>
      (await storeOf(of).messages("fork").getHistory()).map(({ parts }) => parts[0]?.text);
    expect(await textsOf(copy)).toEqual(["a and b", "c", "b"]);
    expect(await textsOf(copy)).toEqual(await textsOf(owner));
  });

  test("goes on from where it was: the copy grows, and branches at any message", {
    tags: "long",
  }, async () => {
    const other = newOwner();
    await imported(other, await exported(await fullOwner(database.sql)));
    const messages = storeOf(other).messages("tea");
    await messages.appendMessage(user("n1", "More"));
    await messages.appendMessage(user("n2", "Aside"), "q1");
    expect((await messages.getTree()).find(({ id }) => id === "n2")?.parentId).toBe("q1");
    expect(await messages.getSiblings("n2")).toHaveLength(2);
  });

  test("brings the blocks a person has made, those of a session with it", {
    tags: "long",
  }, async () => {
    const other = newOwner();
    await imported(other, await exported(await fullOwner(database.sql)));
    const blocks = new PostgresBlocks(database.sql, other);
    const plan = { label: "plan", description: "Steps", kind: "writable", writers: "both" };
    const recipes = { ...plan, label: "recipes", kind: "searchable" };
    expect(await blocks.list(null)).toMatchObject([
      { ...recipes, sessionId: null, maxTokens: null },
    ]);
    for (const sessionId of ["tea", "fork"]) {
      const [, own] = await blocks.list(sessionId);
      expect(own).toMatchObject({ ...plan, sessionId, maxTokens: 200 });
    }
  });

  test("of a block that is set up otherwise here leaves it as it is", {
    tags: "long",
  }, async () => {
    const [owner, other] = [await fullOwner(database.sql), newOwner()];
    const blocks = new PostgresBlocks(database.sql, other);
    const mine = { label: "recipes", description: "Mine", kind: "writable" } as const;
    const place = { sessionId: null, scope: "owner" } as const;
    const setup = { ...mine, ...place, writers: "person", maxTokens: 50 } as const;
    await blocks.create(setup);
    expect((await imported(other, await exported(owner))).problems).toEqual([]);
    expect(await blocks.list(null)).toMatchObject([setup]);
  });

  test("holds no secret, and nothing that was deleted", async () => {
    expect((await exported(await fullOwner(database.sql))).join("")).not.toContain("CANARY");
  });

  test("of one session has that session and its own documents alone", async () => {
    const lines = await exported(await fullOwner(database.sql), "fork");
    const types = Map.groupBy(lines, (line) => (JSON.parse(line) as { type: string }).type);
    expect(types.get("session")).toHaveLength(1);
    expect(types.get("message")).toHaveLength(4);
    expect([...types.keys()]).not.toContain("usage");
    expect(types.get("document")?.every((line) => line.includes('"scope":"fork"'))).toBe(true);
  });
});

test("the export of an owner leaves out sessions that have expired", async () => {
  const owner = newOwner();
  for (const id of ["coffee", "tea"]) await storeOf(owner).sessions.create(id, { id });
  await database.sql`
    update chat_session set expires_at = now() - interval '1 hour'
    where owner_id = ${owner} and session_id = 'coffee'`;
  const sessions = (await exported(owner)).filter((line) => line.includes('"type":"session"'));
  expect(sessions).toEqual([expect.stringContaining('"id":"tea"')]);
});
