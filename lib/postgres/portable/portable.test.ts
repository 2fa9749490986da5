import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresBlocks } from "@/lib/postgres/memory/blocks";
import {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSkillProvider,
} from "@/lib/postgres/memory/entries";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { PostgresRunStore } from "@/lib/postgres/runs/postgres-run-store";
import { PostgresSettings } from "@/lib/postgres/runs/postgres-settings";
import { PostgresUsage } from "@/lib/postgres/runs/postgres-usage";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { SessionExistsError } from "@/lib/session";
import { parseSessionText } from "@/lib/session/internal";
import { user } from "@/lib/session/testing";
import { growTrees } from "@/lib/session/testing/programs/run-tree-program";
import { treePrograms } from "@/lib/session/testing/programs/tree-program";
import { countData, deleteEverything } from "./delete-rows";
import { exportLines } from "./export-records";
import { type ImportReport, importLines } from "./import-lines";
import { ImportError } from "./records";

const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newOwner = () => crypto.randomUUID();
const storeOf = (owner: string) => new PostgresSessionStore(database.sql, owner);

async function exported(owner: string, sessionId?: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(database.sql, { ownerId: owner, sessionId }))
    lines.push(line);
  return lines;
}

async function* given(lines: readonly string[]) {
  yield* lines;
}

const imported = (owner: string, lines: readonly string[]): Promise<ImportReport> =>
  importLines(database.sql, given(lines), { ownerId: owner });

/** Everything a session shows, on every path. */
async function shownBy(owner: string): Promise<unknown> {
  const store = storeOf(owner);
  const { sessions } = await store.sessions.list({ limit: 100 });
  const shown = await Promise.all(
    sessions.map(async ({ id, name, tags, messageCount, forkedAtMessageId }) => {
      const messages = store.messages(id);
      const leaves = await messages.getLeaves();
      return {
        id,
        name,
        tags,
        messageCount,
        forkedAtMessageId,
        tree: await messages.getTree(),
        active: (await messages.getLatestLeaf())?.id,
        skills: await messages.getLoadedSkills(),
        paths: await Promise.all(
          leaves.map(async ({ id: leaf }) => ({
            leaf,
            lines: await messages.getHistory(leaf),
            length: await messages.getPathLength(leaf),
          })),
        ),
      };
    }),
  );
  return shown.toSorted((first, second) => first.id.localeCompare(second.id));
}

/** On a slow machine a failure is reported while it is still being shrunk. */
const inTime = { interruptAfterTimeLimit: 240_000 * deep, markInterruptAsFailure: true };

/** An owner with a branched, compacted, forked session and every kind of memory. */
async function fullOwner(): Promise<string> {
  const owner = newOwner();
  const store = storeOf(owner);
  const { sql } = database;
  await store.sessions.create("Tea", { id: "tea", tags: ["drinks"], source: "web" });
  const messages = store.messages("tea");
  for (const id of ["q1", "q2", "q3", "q4"]) await messages.appendMessage(user(id, `Text ${id}`));
  await messages.appendMessage(user("b1", "Another\u0000 way, \ud800 half"), "q2");
  await messages.addCompaction("What was said", "q1", "q2", { tokensBefore: 9 });
  await messages.setPinned("q1", true);
  await messages.setLabel("q3", "here");
  await messages.recordSkillEvent({ label: "skills", key: "k" }, "load");
  await messages.deleteMessages(["q4"]);
  const todos = new PostgresContextProvider(sql, {
    ownerId: owner,
    label: "todos",
    sessionId: "tea",
  });
  await todos.set("- [ ] drink", { provenance: { author: "model" } });
  const blocks = new PostgresBlocks(sql, owner);
  const plan = { label: "plan", description: "Steps", kind: "writable", writers: "both" } as const;
  const ofSession = { sessionId: "tea", scope: "session" } as const;
  const everywhere = { sessionId: null, scope: "owner" } as const;
  await blocks.create({ ...plan, ...ofSession, maxTokens: 200 });
  const recipes = { label: "recipes", kind: "searchable", maxTokens: null } as const;
  await blocks.create({ ...plan, ...everywhere, ...recipes });
  const gone = await blocks.create({ ...plan, ...everywhere, label: "dropped", maxTokens: 100 });
  const dropped = new PostgresContextProvider(sql, { ownerId: owner, label: "dropped" });
  await dropped.set("CANARY-DROPPED");
  await blocks.delete(gone);
  await store.sessions.fork("tea", "q3", "Tea, forked", { id: "fork" });
  await store.messages("fork").appendMessage(user("f1", "Only in the fork"));
  const memory = new PostgresContextProvider(sql, { ownerId: owner, label: "memory" });
  const provenance = { author: "model" as const, sessionId: "tea", messageId: "q2" };
  await memory.set("one", { provenance });
  await memory.set("two", { provenance: { author: "person" } });
  const knowledge = new PostgresSearchProvider(sql, { ownerId: owner, label: "knowledge" });
  await knowledge.write("k", { title: "Known", content: "Oolong", description: "of tea" });
  await knowledge.write("gone", { title: "Gone", content: "x" });
  await knowledge.remove("gone");
  const skills = new PostgresSkillProvider(sql, { ownerId: owner, label: "skills" });
  await skills.write("s", { title: "Brew", content: "Boil" });
  await new PostgresUsage(sql, owner).record({
    id: "u1",
    kind: "summary",
    sessionId: "tea",
    model: "m",
    inputTokens: 5,
    cachedTokens: 1,
    outputTokens: 2,
    cost: null,
    isReported: false,
  });
  const runs = new PostgresRunStore({ sql, chunks: sql, ownerId: owner });
  const run = { id: "q2", sessionId: "tea", messageId: "q2", parentId: "q1", model: "m" };
  await runs.start(run, 1_000, { maxRunning: 100 });
  await runs.finish("q2", "complete", { receipt });
  const settings = new PostgresSettings(sql, owner);
  await settings.saveSecret({ name: "p", description: {}, sealed: "CANARY-SEALED" });
  return owner;
}

const receipt = {
  model: "m",
  prompt: "You help.",
  messages: [{ id: "q1", role: "user", preview: "Text", tokens: 3 }],
  blocks: [{ label: "memory", version: 1 }],
  skills: [],
  tools: [],
  tokens: { prompt: 1, messages: 2, tools: 3 },
  usage: { inputTokens: 4, outputTokens: 5 },
  cost: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: null,
};

const withoutTimes = (lines: readonly string[]) =>
  lines.slice(1).map((line) => line.replace(/"updatedAt":"[^"]*"/, ""));

describe("an export", () => {
  test("read into an empty owner shows the same sessions, memory, usage and receipts", async () => {
    const owner = await fullOwner();
    const lines = await exported(owner);
    const other = newOwner();
    expect(await imported(other, lines)).toEqual({
      sessions: { imported: 2, already: 0, restored: 0, failed: 0 },
      documents: { imported: 4, already: 0, left: 0 },
      problems: [],
      problemCount: 0,
    });
    expect(await shownBy(other)).toEqual(await shownBy(owner));
    // The export of the copy is otherwise identical.
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(lines));
    const found = await storeOf(other).sessions.search("Another");
    expect(found.map(({ id }) => id)).toEqual(["b1"]);
  });

  test(
    "of any tree comes back as the same tree",
    async () => {
      await fc.assert(
        fc.asyncProperty(treePrograms(40), async (program) => {
          const owner = newOwner();
          await growTrees(storeOf(owner), program);
          const copy = newOwner();
          const report = await imported(copy, await exported(owner));
          expect(report.problems).toEqual([]);
          expect(await shownBy(copy)).toEqual(await shownBy(owner));
        }),
        { numRuns: 25 * deep, ...inTime },
      );
    },
    300_000 * deep,
  );

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
      expect(await shownBy(copy)).toEqual(await shownBy(owner));
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

  test("goes on from where it was: the copy grows, and branches at any message", async () => {
    const other = newOwner();
    await imported(other, await exported(await fullOwner()));
    const messages = storeOf(other).messages("tea");
    await messages.appendMessage(user("n1", "More"));
    await messages.appendMessage(user("n2", "Aside"), "q1");
    expect((await messages.getTree()).find(({ id }) => id === "n2")?.parentId).toBe("q1");
    expect(await messages.getSiblings("n2")).toHaveLength(2);
  });

  test("brings the blocks a person has made, those of a session with it", async () => {
    const other = newOwner();
    await imported(other, await exported(await fullOwner()));
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

  test("of a block that is set up otherwise here leaves it as it is", async () => {
    const [owner, other] = [await fullOwner(), newOwner()];
    const blocks = new PostgresBlocks(database.sql, other);
    const mine = { label: "recipes", description: "Mine", kind: "writable" } as const;
    const place = { sessionId: null, scope: "owner" } as const;
    const setup = { ...mine, ...place, writers: "person", maxTokens: 50 } as const;
    await blocks.create(setup);
    expect((await imported(other, await exported(owner))).problems).toEqual([]);
    expect(await blocks.list(null)).toMatchObject([setup]);
  });

  test("holds no secret, and nothing that was deleted", async () => {
    expect((await exported(await fullOwner())).join("")).not.toContain("CANARY");
  });

  test("of one session has that session and its own documents alone", async () => {
    const lines = await exported(await fullOwner(), "fork");
    const types = Map.groupBy(lines, (line) => (JSON.parse(line) as { type: string }).type);
    expect(types.get("session")).toHaveLength(1);
    expect(types.get("message")).toHaveLength(4);
    expect([...types.keys()]).not.toContain("usage");
    expect(types.get("document")?.every((line) => line.includes('"scope":"fork"'))).toBe(true);
  });
});

describe("an import", () => {
  test("of the same file again changes nothing", async () => {
    const lines = await exported(await fullOwner());
    const other = newOwner();
    await imported(other, lines);
    const before = await exported(other);
    expect(await imported(other, lines)).toMatchObject({
      sessions: { imported: 0, already: 2 },
      documents: { imported: 0, already: 4, left: 0 },
      problemCount: 0,
    });
    expect(withoutTimes(await exported(other))).toEqual(withoutTimes(before));
  });

  test("leaves alone what has gone on here since", async () => {
    const owner = await fullOwner();
    const lines = await exported(owner);
    await storeOf(owner).messages("tea").appendMessage(user("later", "Later"));
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner, label: "memory" });
    await memory.set("three", { provenance: { author: "person" } });
    expect(await imported(owner, lines)).toMatchObject({
      sessions: { already: 2 },
      documents: { already: 4 },
    });
    expect(await memory.get()).toBe("three");
    expect(await storeOf(owner).messages("tea").getMessage("later")).not.toBeNull();
  });

  test("brings back a session that was deleted", async () => {
    const owner = await fullOwner();
    const lines = await exported(owner);
    await storeOf(owner).sessions.delete("tea");
    expect(await imported(owner, lines)).toMatchObject({ sessions: { restored: 1, already: 1 } });
    expect(await storeOf(owner).sessions.get("tea")).not.toBeNull();
  });

  test("gives another name to a session whose name something else has, always the same one", async () => {
    const lines = await exported(await fullOwner());
    const other = newOwner();
    await storeOf(other).sessions.create("Mine", { id: "tea" });
    await storeOf(other).messages("tea").appendMessage(user("mine", "Mine"));
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 2 } });
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 0, already: 2 } });
    const { sessions } = await storeOf(other).sessions.list();
    const copy = sessions.find(({ name }) => name === "Tea");
    expect(sessions.find(({ id }) => id === "fork")?.parentSessionId).toBe(copy?.id);
    expect(await storeOf(other).messages("tea").getPathLength()).toBe(1);
  });

  test("keeps memory that was changed here, takes what only continues it", async () => {
    const lines = await exported(await fullOwner());
    const [mine, behind] = [newOwner(), newOwner()];
    const memoryOf = (owner: string) =>
      new PostgresContextProvider(database.sql, { ownerId: owner, label: "memory" });
    await memoryOf(mine).set("my own", { provenance: { author: "person" } });
    expect(await imported(mine, lines)).toMatchObject({
      documents: { left: 1, imported: 3 },
    });
    expect(await memoryOf(mine).get()).toBe("my own");
    await memoryOf(behind).set("an example", { provenance: { author: "system" } });
    expect(await imported(behind, lines)).toMatchObject({ documents: { imported: 4 } });
    expect(await memoryOf(behind).get()).toBe("two");
  });

  test("with gaps behind which nothing lies shows the same, and goes on from there", async () => {
    const [owner, copy] = [newOwner(), newOwner()];
    await storeOf(owner).sessions.create("Tea", { id: "tea" });
    for (const id of ["a", "b"]) await storeOf(owner).messages("tea").appendMessage(user(id));
    const lines = await exported(owner);
    const gaps = [
      { type: "gap", id: "g", parentId: "b" },
      { type: "gap", id: "h", parentId: null },
    ];
    const at = lines.findIndex((line) => line.includes('"session-end"'));
    const file = lines.toSpliced(at, 0, ...gaps.map((gap) => JSON.stringify(gap)));
    expect((await imported(copy, file)).problems).toEqual([]);
    expect(await shownBy(copy)).toEqual(await shownBy(owner));
    for (const of of [owner, copy]) await storeOf(of).messages("tea").appendMessage(user("c"));
    const treeOf = async (of: string) =>
      (await storeOf(of).messages("tea").getTree()).map(({ id, parentId }) => [id, parentId]);
    expect(await treeOf(copy)).toEqual(await treeOf(owner));
    expect(await storeOf(copy).messages("tea").getPathLength()).toBe(3);
  });

  const broken: [string, (line: string) => string | null, string | undefined][] = [
    ["an unknown parent", (line) => line.replace('"parentId":"q1"', '"parentId":"x"'), "parentId"],
    ["a repeated id", (line) => line.replace('"id":"q2"', '"id":"q1"'), "id"],
    ["an unknown role", (line) => line.replace('"role":"user"', '"role":"root"'), "role"],
    [
      "a text that is none",
      (line) => line.replace('"text":"Text q2"', '"text":7'),
      "content.parts.0.text",
    ],
    ["no JSON", () => "{", undefined],
    ["a missing message", () => null, "parentId"],
  ];
  test.each(broken)(
    "with %s leaves that session out whole, says where, and takes the rest",
    async (_, breakIt, field) => {
      const lines = await exported(await fullOwner());
      const at = lines.findIndex((line) => line.includes('"id":"q2"'));
      const changed = breakIt(lines[at] ?? "");
      const file = lines.toSpliced(at, 1, ...(changed === null ? [] : [changed]));
      const other = newOwner();
      const report = await imported(other, file);
      expect(report.sessions).toEqual({ imported: 1, already: 0, restored: 0, failed: 1 });
      expect(report.problems).toMatchObject([
        { line: at + 1, ...(field && { field }), message: expect.stringContaining("“Tea”") },
      ]);
      expect((await storeOf(other).sessions.list()).sessions.map(({ id }) => id)).toEqual(["fork"]);
      const rows = await database.sql`
      select from chat_message where owner_id = ${other} and session_id = 'tea'`;
      expect(rows).toHaveLength(0);
    },
  );

  test("that ends early takes the sessions that are whole, and can be done again", async () => {
    const lines = await exported(await fullOwner());
    const other = newOwner();
    const half = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"id":"f1"')),
    );
    expect(await imported(other, half)).toMatchObject({
      sessions: { imported: 1, failed: 1 },
      problems: [{ message: expect.stringContaining("ends early") }],
    });
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 1, already: 1 } });
  });

  test("that breaks off leaves nothing half, and what a killed one left is swept away", async () => {
    const lines = await exported(await fullOwner());
    const other = newOwner();
    async function* cut() {
      yield* lines.slice(
        0,
        lines.findIndex((line) => line.includes('"id":"q3"')),
      );
      throw new Error("hung up");
    }
    await expect(importLines(database.sql, cut(), { ownerId: other })).rejects.toThrow("hung up");
    expect(await countData(database.sql, other)).toMatchObject({ sessions: 0, messages: 0 });
    await database.sql`
      insert into chat_session (owner_id, session_id, source, deleted_at) values (${other}, 'tea', 'importing', now())`;
    await expect(storeOf(other).sessions.restore("tea")).rejects.toThrow();
    expect(await imported(other, lines)).toMatchObject({ sessions: { imported: 2, failed: 0 } });
  });

  test("of a session that is being imported is refused, and the first import completes", async () => {
    const lines = await exported(await fullOwner(), "tea");
    const tea = parseSessionText(lines.join(""));
    const other = newOwner();
    const { promise: others, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: isHalf, resolve: reachHalf } = Promise.withResolvers<void>();
    async function* slowly() {
      for (const line of lines) {
        if (line.includes('"id":"q3"')) {
          reachHalf();
          await others;
        }
        yield line;
      }
    }
    const first = importLines(database.sql, slowly(), { ownerId: other });
    await isHalf;
    try {
      await expect(storeOf(other).sessions.import(tea)).rejects.toThrow(SessionExistsError);
      expect(await imported(other, lines)).toMatchObject({
        sessions: { imported: 0, failed: 1 },
        problems: [{ line: 2, message: expect.stringContaining("being imported") }],
      });
    } finally {
      goOn();
    }
    expect(await first).toMatchObject({ sessions: { imported: 1, failed: 0 }, problems: [] });
    expect(await storeOf(other).messages("tea").getMessage("q3")).not.toBeNull();
    expect(await imported(other, lines)).toMatchObject({ sessions: { already: 1 } });
  });

  test.each([[[]], [["{}"]], [['{"type":"grove-export","format":2}']], [["[".repeat(10_000)]]])(
    "of what is no export is refused as a whole",
    async (lines) => {
      await expect(imported(newOwner(), lines)).rejects.toThrow(ImportError);
    },
  );

  test("of anything at all never fails otherwise", async () => {
    const lines = await exported(await fullOwner());
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("", "0", "null", "{", '"', "x", "-1")),
        ),
        async (changes) => {
          const file = [...lines];
          for (const [which, where, text] of changes) {
            const n = 1 + (which % (file.length - 1));
            const line = file[n] ?? "";
            const at = where % (line.length + 1);
            file[n] = line.slice(0, at) + text + line.slice(at + 1);
          }
          const owner = newOwner();
          const { sessions } = await imported(owner, file);
          const { sessions: shown } = await storeOf(owner).sessions.list();
          expect(shown).toHaveLength(sessions.imported);
        },
      ),
      { numRuns: 30 * deep },
    );
  }, 300_000);
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

describe("deleting everything", () => {
  test("leaves no row of the owner in any table, and every row of others", async () => {
    const [owner, other] = [await fullOwner(), await fullOwner()];
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
});
