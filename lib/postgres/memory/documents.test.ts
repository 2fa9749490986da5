import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchAllDocuments } from "@/lib/postgres/search/search-documents";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { BlockConflictError, parseQuery } from "@/lib/session";
import { answerWrites } from "./answer-writes";
import { PostgresBlocks } from "./postgres-blocks";
import { PostgresContextProvider } from "./postgres-context-provider";
import { PostgresSearchProvider } from "./postgres-search-provider";
import { PostgresSkillProvider } from "./postgres-skill-provider";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const owner = () => crypto.randomUUID();
const twenty = Array.from({ length: 20 }, (_, n) => n);

describe("a document", () => {
  test("loses nothing of 20 writers who add a line each, reading again after a conflict", async () => {
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
    await blocks.add({ ...about, label: "plan", sessionId: null });
    const [block] = await blocks.list(null);
    const textOf = (of: string) =>
      new PostgresContextProvider(sql, { ownerId: of, label: "plan", blockId: block?.id ?? 0 });
    return { ownerId, sql, blocks, textOf, text: textOf(ownerId) };
  }

  test("are written under one name, however often it is renamed meanwhile", async () => {
    const { ownerId, sql, blocks, text } = await plan();
    await text.set("0");
    const labels = ["plan", "map"] as const;
    for (let round = 0; round < 20; round++) {
      const [label = "", to = ""] = round % 2 === 0 ? labels : labels.toReversed();
      const writes = Array.from({ length: 4 }, () => text.set(`${round}`));
      await Promise.all([...writes, blocks.rename({ label, sessionId: null }, to)]);
    }
    const rows = await sql`select label, version from chat_document where owner_id = ${ownerId}`;
    expect(rows).toEqual([{ label: "plan", version: 81 }]);
    expect(await text.read()).toEqual({ content: "19", version: 81 });
  });

  test("are read by nobody once it is deleted, and not written, and come back with it", async () => {
    const { blocks, text } = await plan();
    await text.set("One");
    const place = { label: "plan", sessionId: null };
    const deletion = (await blocks.remove(place)) ?? "";
    expect(await text.read()).toEqual({ content: "", version: 0 });
    expect(await text.versions()).toEqual([]);
    await expect(text.set("Two")).rejects.toMatchObject({ code: "block-not-found" });
    await blocks.restore(deletion, place);
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

  test("tell what one message wrote", async () => {
    const ownerId = owner();
    const provenance = { author: "model" as const, sessionId: "s", messageId: "m" };
    const memory = new PostgresContextProvider(database.sql, { ownerId, label: "memory" });
    await memory.set("by hand");
    await memory.set("by the model", { provenance });
    await memory.set("by another answer", { provenance: { ...provenance, messageId: "n" } });
    const rows = await answerWrites(database.sql, { owner: ownerId, session: "s", messageId: "m" });
    expect([...rows]).toMatchObject([{ label: "memory", key: "", version: 2 }]);
  });
});
