import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseQuery } from "../../session";
import type { NewBlock } from "../../session/internal";
import { assistant, user } from "../../session/testing";
import { PostgresBlocks } from "../memory/blocks";
import { PostgresSearchProvider } from "../memory/entries";
import { exportLines } from "../portable/export-records";
import { importLines } from "../portable/import-lines";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import {
  filesOfPath,
  hasKnowledgeFiles,
  knowledgeBlock,
  knowledgeFilesNamed,
  searchPages,
} from "./knowledge-files";
import { PostgresFiles, removeUnusedFiles } from "./postgres-files";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-files-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const hashOf = (name: string) => createHash("sha256").update(name).digest("hex");

const block: NewBlock = {
  label: knowledgeBlock,
  kind: "searchable",
  scope: "owner",
  writers: "person",
  sessionId: null,
  description: "",
  maxTokens: null,
};

function place(ownerId: string = crypto.randomUUID()) {
  const { sql } = database;
  const files = new PostgresFiles(sql, ownerId);
  const entries = new PostgresSearchProvider(sql, { ownerId, blockId: knowledgeBlock });
  const knowledge = {
    hasFiles: () => hasKnowledgeFiles(sql, ownerId),
    named: (name: string) => knowledgeFilesNamed(sql, ownerId, name),
    ofPath: (sessionId: string, leafId: string) =>
      filesOfPath(sql, ownerId, { sessionId, leafId, most: 10 }),
  };
  const store = new PostgresSessionStore(sql, ownerId);
  const stored = async (name: string, ...texts: string[]) => {
    const [sha256, path] = [hashOf(name), join(folder, hashOf(name))];
    await writeFile(path, name);
    const pages = texts.map((text, index) => ({ page: index + 1, title: "", text }));
    await files.add(
      { sha256, size: name.length, mediaType: "application/pdf" },
      { path, content: () => ({ facts: {}, pages }) },
    );
    return sha256;
  };
  const add = async (name: string, ...texts: string[]) => {
    const sha256 = await stored(name, ...texts);
    await new PostgresBlocks(sql, ownerId).ensure([block]);
    await entries.write(sha256, { title: name, content: `grove-file:${sha256}` });
    return sha256;
  };
  const search = async (query: string, files: { sha256: string; name: string }[] = []) => {
    const scope = { ofPlace: true, files };
    const hits = await searchPages(sql, ownerId, parseQuery(query), { scope, limit: 5 });
    return hits.map(({ name, page }) => `${name} ${page}`);
  };
  return { ownerId, files, entries, knowledge, store, stored, add, search };
}

const everything = { unusedMs: -60_000, most: 1_000 };

describe("files among the knowledge of a place", () => {
  test("are found by page: those with more and rarer words first", async () => {
    const { add, search } = place();
    await add("a.pdf", "The harvest of quince", "The harvest of medlar weighed little");
    await add("b.pdf", "The harvest", "The harvest again", "Harvest and harvest");
    const [first, ...others] = await search("medlar harvest");
    expect(first).toBe("a.pdf 2");
    expect(others.toSorted()).toEqual(["a.pdf 1", "b.pdf 1", "b.pdf 2", "b.pdf 3"]);
    expect((await search("medlar weighed elephant"))[0]).toBe("a.pdf 2");
    expect(await search("quince weighed")).toHaveLength(2);
    expect(await search("-harvest")).toEqual([]);
    expect(await search("plum")).toEqual([]);
  });

  test("are found by a question, of which words like 'is' and 'the' count for nothing", async () => {
    const { add, search } = place();
    await add("a.pdf", "What is the way to the town, and how is the road?", "Quince jam is sweet");
    expect(await search("How is the quince made?")).toEqual(["a.pdf 2"]);
    expect(await search("how the")).toEqual(["a.pdf 1"]);
    expect(await search("do the quince")).toEqual(["a.pdf 2"]);
    await add("b.pdf", "Der Krieg dauerte lange");
    expect(await search("war")).toEqual([]);
  });

  test("are ranked by a word of thousands of pages, and found by it where there is no rarer one", async () => {
    const { add, search } = place();
    const pages = Array.from({ length: 1_200 }, (_, n) => `Harvest and cellar, row ${n}`);
    await add("a.pdf", "Quince", "The quince harvest", ...pages);
    expect(await search("harvest quince")).toEqual(["a.pdf 2", "a.pdf 1"]);
    expect(await search("harvest")).toHaveLength(5);
    expect(await search("harvest medlar")).toHaveLength(5);
    expect(await search("harvest cellar -row")).toEqual(["a.pdf 2"]);
  });

  test("are ranked by rarity also where the first files of a place have no text", async () => {
    const { add, search } = place();
    const names = Array.from({ length: 34 }, (_, n) => `${n}.pdf`).toSorted((a, b) =>
      hashOf(a) < hashOf(b) ? -1 : 1,
    );
    const last = names.pop() ?? "";
    for (const name of names) await add(name);
    const rare = `Quince ${"and other fruit of many kinds ".repeat(20)}`;
    await add(last, rare, ...Array.from({ length: 5 }, () => "Harvest harvest harvest"));
    expect((await search("harvest quince"))[0]).toBe(`${last} 1`);
  });

  test("leave out stored files that are no knowledge, unless a message of the chat names them", async () => {
    const { stored, search, knowledge } = place();
    const sha256 = await stored("other.pdf", "Quince jam");
    expect(await knowledge.hasFiles()).toBe(false);
    expect(await search("quince")).toEqual([]);
    expect(await search("quince", [{ sha256, name: "other.pdf" }])).toEqual(["other.pdf 1"]);
  });

  test("are never those of another owner, not even by their hash", async () => {
    const [mine, theirs] = [place(), place()];
    const sha256 = await theirs.add("secret.pdf", "Quince jam");
    expect(await mine.search("quince", [{ sha256, name: "secret.pdf" }])).toEqual([]);
    expect(await mine.knowledge.named("secret.pdf")).toEqual([]);
  });

  test("have names, whatever their case, and the beginning of a hash", async () => {
    const { add, knowledge } = place();
    const sha256 = await add("Report.pdf", "Quince");
    const named = [{ sha256, name: "Report.pdf" }];
    expect(await knowledge.named("report.PDF")).toEqual(named);
    expect(await knowledge.named(sha256.slice(0, 12))).toEqual(named);
    expect(await knowledge.named(sha256.slice(0, 2))).toEqual([]);
  });

  test("are kept while their entry is there, or can be restored, and go with it", async () => {
    const { ownerId, files, entries, add } = place();
    const sha256 = await add("report.pdf", "Quince");
    await entries.delete(sha256, { deletionId: "d" });
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(sha256)).not.toBeNull();
    await database.sql`select chat_forget(${ownerId}, 'd')`;
    await removeUnusedFiles(database.sql, everything);
    expect(await files.get(sha256)).toBeNull();
  });

  test("come along in an export, with bytes and pages", async () => {
    const { ownerId, add } = place();
    await add("report.pdf", "Quince");
    const lines = await Array.fromAsync(exportLines(database.sql, { ownerId }));
    const other = place();
    const report = await importLines(
      database.sql,
      (async function* () {
        yield* lines;
      })(),
      other,
    );
    expect(report).toMatchObject({ problemCount: 0 });
    expect(await other.search("quince")).toEqual(["report.pdf 1"]);
  });
});

test("files of a path are those of the person's messages, also where a fork borrows them", async () => {
  const { knowledge, store } = place();
  const part = (name: string) => ({
    type: "file",
    mediaType: "application/pdf",
    filename: name,
    url: `grove-file:${hashOf(name)}`,
  });
  await store.sessions.create("Chat", { id: "s" });
  const messages = store.messages("s");
  await messages.appendMessage({ ...user("q1", "See"), parts: [part("one.pdf")] });
  await messages.appendMessage({ ...assistant("a1", "Yes"), parts: [part("made.png")] });
  await messages.appendMessage({ ...user("q2", "And"), parts: [part("two.pdf")] });
  await messages.appendMessage({ ...user("q3", "Or"), parts: [part("beside.pdf")] }, "a1");
  await store.sessions.fork("s", "q2", "Fork", { id: "f" });
  const namesAt = async (session: string, leaf: string) =>
    (await knowledge.ofPath(session, leaf)).map((each) => "filename" in each && each.filename);
  expect(await namesAt("s", "q2")).toEqual(["two.pdf", "one.pdf"]);
  expect(await namesAt("f", "q2")).toEqual(["two.pdf", "one.pdf"]);
  expect(await namesAt("s", "q3")).toEqual(["beside.pdf", "one.pdf"]);
});
