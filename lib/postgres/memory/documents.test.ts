import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BlockConflictError, parseQuery, SessionExpiredError } from "../../session";
import { PostgresSessionStore } from "../postgres-session-store";
import { searchAllDocuments } from "../search/search-documents";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { PostgresBlocks } from "./blocks";
import { PostgresContextProvider, PostgresSearchProvider, PostgresSkillProvider } from "./entries";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const owner = () => crypto.randomUUID();
const twenty = Array.from({ length: 20 }, (_, n) => n);

describe("a document", () => {
  test("loses nothing of 20 writers who add a line each, reading again after a conflict", {
    tags: "long",
  }, async () => {
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner(), label: "memory" });
    const addLine = async (line: string): Promise<void> => {
      const { content, version } = await memory.read();
      try {
        await memory.set(`${content}${line}\n`, { expectedVersion: version });
      } catch (error) {
        if (!(error instanceof BlockConflictError)) throw error;
        await addLine(line);
      }
    };
    await Promise.all(twenty.map((n) => addLine(`line ${n}`)));
    const { content, version } = await memory.read();
    expect(content.trim().split("\n").sort()).toEqual(twenty.map((n) => `line ${n}`).sort());
    expect(version).toBe(20);
    expect((await memory.versions()).map((each) => each.version)).toEqual(
      twenty.map((n) => 20 - n),
    );
  });

  test("keeps a version for each of 20 writers who did not look", async () => {
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner(), label: "memory" });
    await Promise.all(twenty.map((n) => memory.set(`text ${n}`)));
    const versions = await memory.versions();
    expect(versions.map(({ content }) => content).sort()).toEqual(
      twenty.map((n) => `text ${n}`).sort(),
    );
    expect((await memory.read()).content).toBe(versions[0]?.content);
  });

  test("says which version is newest when a write is refused", async () => {
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner(), label: "memory" });
    await expect(memory.set("x", { expectedVersion: 3 })).rejects.toMatchObject({
      currentVersion: 0,
    });
    await memory.set("one");
    await expect(memory.set("x", { expectedVersion: 0 })).rejects.toMatchObject({
      currentVersion: 1,
    });
    expect(await memory.read()).toEqual({ content: "one", version: 1 });
  });

  test("shows what text columns refuse as replaced", async () => {
    const memory = new PostgresContextProvider(database.sql, { ownerId: owner(), label: "memory" });
    await memory.set("a\u0000b\ud800");
    expect((await memory.read()).content).toBe("a␀b\ufffd");
  });
});

describe("an entry", () => {
  test("is still found by its title after its text was rewritten", async () => {
    const ownerId = owner();
    const knowledge = new PostgresSearchProvider(database.sql, { ownerId, label: "knowledge" });
    await knowledge.write("tea", { title: "Brewing", content: "Leaves", description: "Steep" });
    await knowledge.set("tea", "Water first");
    const keys = async (query: string) => (await knowledge.find(query)).map(({ key }) => key);
    expect(await keys("brewing")).toEqual(["tea"]);
    expect(await keys("steep")).toEqual(["tea"]);
    expect(await keys("water")).toEqual(["tea"]);
    expect(await keys("leaves")).toEqual([]);
  });

  test("has the title it is written with, and keeps it when none is given", async () => {
    const knowledge = new PostgresSearchProvider(database.sql, {
      ownerId: owner(),
      label: "knowledge",
    });
    await knowledge.set("tea", "Leaves", undefined, { title: "How to Brew" });
    await knowledge.set("tea", "Water");
    expect(await knowledge.entry("tea")).toMatchObject({ title: "How to Brew", content: "Water" });
  });

  test("that was deleted is found no more, and comes back under the next version", async () => {
    const ownerId = owner();
    const knowledge = new PostgresSearchProvider(database.sql, { ownerId, label: "knowledge" });
    await knowledge.write("tea", { title: "Tea", content: "Leaves" });
    await knowledge.remove("tea", { provenance: { author: "person" } });
    expect(await knowledge.find("leaves")).toEqual([]);
    expect(await knowledge.entries()).toEqual([]);
    await knowledge.write("tea", { title: "Tea", content: "Leaves" });
    expect(await knowledge.entry("tea")).toMatchObject({ version: 3 });
    expect((await knowledge.entryVersions("tea")).map(({ content }) => content)).toEqual([
      "Leaves",
      null,
      "Leaves",
    ]);
  });
});

describe("documents of a block that a person has made", () => {
  async function plan() {
    const ownerId = owner();
    const { sql } = database;
    const blocks = new PostgresBlocks(sql, ownerId);
    const about = { description: "", kind: "writable", writers: "both", maxTokens: 100 } as const;
    const place = { label: "plan", sessionId: null, scope: "owner" } as const;
    const block = await blocks.create({ ...about, ...place });
    const textOf = (of: string) =>
      new PostgresContextProvider(sql, { ownerId: of, blockId: block.id });
    return { ownerId, sql, blocks, block, textOf, text: textOf(ownerId) };
  }

  test("are written under one name, however often it is renamed meanwhile", async () => {
    const { ownerId, sql, blocks, block, text } = await plan();
    await text.set("0");
    for (let round = 0; round < 20; round++) {
      const label = round % 2 === 0 ? "map" : "plan";
      const writes = Array.from({ length: 4 }, () => text.set(`${round}`));
      await Promise.all([...writes, blocks.change(block, { label })]);
    }
    const rows = await sql`select block_id, version from chat_document where owner_id = ${ownerId}`;
    expect(rows).toEqual([{ block_id: block.id, version: 81 }]);
    expect(await text.read()).toEqual({ content: "19", version: 81 });
  });

  test("are read by nobody once it is deleted, and not written, and come back with it", async () => {
    const { blocks, block, text } = await plan();
    await text.set("One");
    await blocks.delete(block);
    expect(await text.read()).toEqual({ content: "", version: 0 });
    expect(await text.versions()).toEqual([]);
    await expect(text.set("Two")).rejects.toMatchObject({ code: "block-not-found" });
    await blocks.restore(block);
    expect(await text.read()).toEqual({ content: "One", version: 1 });
  });

  test("are their owner's alone", async () => {
    const { text, textOf } = await plan();
    await text.set("Mine");
    const stranger = textOf(owner());
    expect(await stranger.read()).toEqual({ content: "", version: 0 });
    await expect(stranger.set("Theirs")).rejects.toMatchObject({ code: "block-not-found" });
    expect(await text.read()).toEqual({ content: "Mine", version: 1 });
  });
});

describe("a block that a program names by its label", () => {
  const plan = { label: "plan", sessionId: null, description: "Steps", maxTokens: 100 } as const;
  const person = { ...plan, scope: "owner", kind: "writable", writers: "both" } as const;

  test("is made at the first write, once, and is not read into being", async () => {
    const ownerId = owner();
    const { sql } = database;
    const writers = twenty.map(
      () => new PostgresContextProvider(sql, { ownerId, label: "memory" }),
    );
    expect(await writers[0]?.read()).toEqual({ content: "", version: 0 });
    expect(await writers[0]?.versions()).toEqual([]);
    const rows = () => sql`select block_id, scope from chat_block where owner_id = ${ownerId}`;
    expect(await rows()).toEqual([]);
    await Promise.all(writers.map((writer, n) => writer.set(`text ${n}`)));
    expect(await rows()).toEqual([{ block_id: "memory", scope: "owner" }]);
    expect(await writers[0]?.versions()).toHaveLength(20);
  });

  test("has another text in each session, and one for all of them", async () => {
    const ownerId = owner();
    const { sql } = database;
    const at = (sessionId?: string) =>
      new PostgresContextProvider(sql, { ownerId, label: "plan", ...(sessionId && { sessionId }) });
    for (const sessionId of ["a", "b", undefined]) await at(sessionId).set(`of ${sessionId}`);
    for (const sessionId of ["a", "b", undefined])
      expect((await at(sessionId).read()).content).toBe(`of ${sessionId}`);
    const rows = await sql`
      select scope from chat_block where owner_id = ${ownerId} and session_id = '' order by scope`;
    expect(rows).toEqual([{ scope: "owner" }, { scope: "session" }]);
  });

  test("becomes the person's with its text when they make one of that name", async () => {
    const ownerId = owner();
    const blocks = new PostgresBlocks(database.sql, ownerId);
    await blocks.text({ label: "plan", sessionId: null }).set("From a script");
    expect(await blocks.list(null)).toEqual([]);
    const made = await blocks.create(person);
    expect(made).toMatchObject({ ...person, origin: "person" });
    const ref = { blockId: made.id, sessionId: null };
    expect(await blocks.text(ref).get()).toBe("From a script");
    await expect(blocks.create(person)).rejects.toMatchObject({ code: "block-exists" });
  });

  test("is the person's own where there is one, under the name that has now", async () => {
    const blocks = new PostgresBlocks(database.sql, owner());
    const made = await blocks.create(person);
    await blocks.change(made, { label: "map" });
    await blocks.text({ label: "map", sessionId: null }).set("From a script");
    expect(await blocks.text({ blockId: made.id, sessionId: null }).get()).toBe("From a script");
    expect(await blocks.text({ label: "plan", sessionId: null }).get()).toBeNull();
  });

  test("becomes the application's own when that brings one of its name", async () => {
    const blocks = new PostgresBlocks(database.sql, owner());
    await blocks.text({ label: "plan", sessionId: null }).set("From a script");
    for (let times = 0; times < 2; times++)
      await blocks.ensure([person, { ...person, label: "map" }]);
    expect(await blocks.list(null)).toMatchObject([
      { id: "plan", origin: "app" },
      { id: "map", origin: "app" },
    ]);
    expect(await blocks.text({ blockId: "plan", sessionId: null }).get()).toBe("From a script");
  });

  test("is one block after 20 first uses at once, by code and by the application", async () => {
    const ownerId = owner();
    const stores = twenty.map(() => new PostgresBlocks(database.sql, ownerId));
    await Promise.all([
      ...stores.map((blocks) => blocks.ensure([person])),
      ...stores.map((blocks, n) => blocks.text({ label: "plan", sessionId: null }).set(`${n}`)),
    ]);
    expect(await stores[0]?.list(null)).toMatchObject([{ id: "plan", origin: "app" }]);
    const versions = await stores[0]?.text({ blockId: "plan", sessionId: null }).versions();
    expect(versions).toHaveLength(20);
  });
});

describe("the label of a block", () => {
  test("is free once the session that had it has expired", async () => {
    const { blocks, sessions } = new PostgresSessionStore(database.sql, owner());
    await sessions.create("Session", { id: "s" });
    const about = { description: "", kind: "writable", writers: "both", maxTokens: 100 } as const;
    const inSession = { ...about, label: "plan", sessionId: "s", scope: "session" } as const;
    const everywhere = { ...about, label: "plan", sessionId: null, scope: "owner" } as const;
    await blocks.create(inSession);
    await expect(blocks.create(everywhere)).rejects.toMatchObject({ code: "block-exists" });
    await sessions.update("s", { expiresAfterMs: -1 });
    expect(await blocks.list("s")).toEqual([]);
    expect(await blocks.create(everywhere)).toMatchObject({ label: "plan" });
  });
});

describe("a refused change of a block", () => {
  test("leaves every part of it as it was", async () => {
    const blocks = new PostgresBlocks(database.sql, owner());
    const about = { description: "", kind: "writable", writers: "both", maxTokens: 100 } as const;
    const place = { sessionId: null, scope: "owner" } as const;
    const made = await blocks.create({ ...about, ...place, label: "plan" });
    await blocks.create({ ...about, ...place, label: "map" });
    const before = await blocks.list(null);
    await expect(
      blocks.change(made, { label: "map", description: "Other", writers: "person", maxTokens: 5 }),
    ).rejects.toMatchObject({ code: "block-exists" });
    expect(await blocks.list(null)).toEqual(before);
  });
});

describe("documents", () => {
  test("show the words that were looked for where they stand: title, description or text", async () => {
    const ownerId = owner();
    const { sql } = database;
    await new PostgresSkillProvider(sql, { ownerId, label: "skills" }).write("brew", {
      title: "# Brewing tea",
      description: "How a pot is warmed",
      content: "Boil water.",
    });
    const find = async (input: string) => {
      const [hit] = await searchAllDocuments(sql, ownerId, parseQuery(input), { limit: 10 });
      return [hit?.title, hit?.snippet].map((each) =>
        each?.marks.map(([start, end]) => each.text.slice(start, end)),
      );
    };
    expect(await find("tea")).toEqual([["tea"], []]);
    expect(await find("pots")).toEqual([[], ["pot"]]);
    expect(await find("boiling br")).toEqual([["Brewing"], ["Boil"]]);
  });

  test("are found in every block, the best first, with where they belong", async () => {
    const ownerId = owner();
    const { sql } = database;
    await new PostgresContextProvider(sql, { ownerId, label: "memory" }).set("Likes jasmine tea");
    await new PostgresContextProvider(sql, { ownerId, label: "todos", sessionId: "s" }).set(
      "Buy jasmine",
    );
    await new PostgresSearchProvider(sql, { ownerId, label: "knowledge" }).write("j", {
      title: "Jasmine",
      content: "A flower",
    });
    const hits = await searchAllDocuments(sql, ownerId, parseQuery("jasmine"), { limit: 10 });
    expect(hits.map(({ label, key, sessionId }) => [label, key, sessionId]).sort()).toEqual([
      ["knowledge", "j", null],
      ["memory", null, null],
      ["todos", null, "s"],
    ]);
    const found = hits.find(({ key }) => key === "j");
    expect(found?.title).toEqual({ text: "Jasmine", marks: [[0, 7]] });
    const find = (input: string) =>
      searchAllDocuments(sql, ownerId, parseQuery(input), { limit: 10 });
    for (const odd of [
      "",
      "  ",
      "'",
      "a & | ! b",
      ":*",
      "\\",
      "\u0000",
      "\ud800",
      "((",
      '"unclosed',
    ])
      expect(Array.isArray(await find(odd))).toBe(true);
  });

  test("are found by the filters they can answer, and not by those they cannot", async () => {
    const ownerId = owner();
    const { sql } = database;
    await new PostgresContextProvider(sql, { ownerId, label: "memory" }).set("Grows basil");
    await new PostgresContextProvider(sql, { ownerId, label: "todos", sessionId: "s" }).set(
      "Water the basil",
    );
    const labels = async (input: string) =>
      (await searchAllDocuments(sql, ownerId, parseQuery(input), { limit: 10 }))
        .map(({ label }) => label)
        .sort();
    expect(await labels("basil")).toEqual(["memory", "todos"]);
    expect(await labels("basil after:2020-01-01")).toEqual(["memory", "todos"]);
    expect(await labels("basil before:2020-01-01")).toEqual([]);
    expect(await labels("basil in:s")).toEqual(["todos"]);
    expect(await labels("basil role:user")).toEqual([]);
    expect(await labels("basil tag:green")).toEqual([]);
    expect(await labels("basil before:banana")).toEqual(["memory", "todos"]);
  });

  test("of an expired session are not found, and reading them says that it has expired", async () => {
    const store = new PostgresSessionStore(database.sql, owner());
    await store.sessions.create("Session", { id: "s" });
    const ref = { ownerId: store.ownerId, label: "knowledge", sessionId: "s" };
    const knowledge = new PostgresSearchProvider(database.sql, ref);
    const skills = new PostgresSkillProvider(database.sql, { ...ref, label: "skills" });
    await knowledge.set("tea", "Jasmine tea");
    await skills.set("brew", "Jasmine brew");
    const find = () =>
      searchAllDocuments(database.sql, store.ownerId, parseQuery("jasmine"), { limit: 10 });
    expect(await find()).toHaveLength(2);
    await store.sessions.update("s", { expiresAfterMs: -1 });
    expect(await find()).toEqual([]);
    for (const read of [
      () => knowledge.get(),
      () => knowledge.entries(),
      () => knowledge.search("jasmine"),
      () => knowledge.find("jasmine"),
      () => skills.get(),
      () => skills.entries(),
    ]) {
      await expect((async () => read())(), String(read)).rejects.toThrow(SessionExpiredError);
    }
  });

  test("tell what one message wrote", async () => {
    const ownerId = owner();
    const provenance = { author: "model" as const, sessionId: "s", messageId: "m" };
    const memory = new PostgresContextProvider(database.sql, { ownerId, label: "memory" });
    await memory.set("by hand");
    await memory.set("by the model", { provenance });
    await memory.set("by another answer", { provenance: { ...provenance, messageId: "n" } });
    const write = { blockId: "memory", label: "memory", key: null, version: 2 };
    expect(await new PostgresBlocks(database.sql, ownerId).writesOf("s", "m")).toEqual([
      { ...write, before: "by hand", after: "by the model" },
    ]);
  });
});
