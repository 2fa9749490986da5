import { afterAll, beforeAll, expect, test } from "vitest";
import { assistantsView } from "@/lib/chat/memory/assistants";
import { Memory } from "@/lib/chat/memory/memory";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { exportEverything, importEverything } from "./portable-data";
import { undoImport } from "./undo-import";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const careful = "---\nname: Careful\ntemperature: 0\n---\n\nCheck every figure.\n";

/** Instructions, memory, a skill, a section of the person's own and an assistant. */
async function fullOwner(): Promise<OwnerServices> {
  const owner = newOwner(database.sql);
  const memory = new Memory(owner, null);
  await memory.list();
  await memory.write("soul", { content: "Answer in rhymes." });
  await memory.write("memory", { content: "Likes tea." });
  await memory.addEntry("skills", { title: "Brew", description: "How", content: "Boil water." });
  const section = {
    label: "plans",
    description: "Plans",
    kind: "writable",
    scope: "owner",
  } as const;
  const { id } = await memory.create({ ...section, writers: "both", maxTokens: 500 });
  await memory.write(id, { content: "Go to sea." });
  await memory.addEntry(assistantsLabel, { title: "Careful", content: careful });
  return owner;
}

/** All that every chat gets. */
async function sharedBy(owner: OwnerServices) {
  const memory = new Memory(owner, null);
  const blocks = await memory.list();
  const skills = await memory.entries("skills");
  return {
    texts: Object.fromEntries(
      blocks.flatMap(({ label, kind, content }) => (kind === "loadable" ? [] : [[label, content]])),
    ),
    skills: skills.map(({ key, title, description, content }) => [
      key,
      title,
      description,
      content,
    ]),
    assistants: (await assistantsView(owner)).assistants,
  };
}

const acceptsAll = () => true;

test("an import writes nothing into all chats before it was accepted, and names each", async () => {
  const [owner, other] = [await fullOwner(), newOwner(database.sql)];
  const before = await sharedBy(other);
  const report = await importEverything(other, await exportEverything(owner));
  expect(await sharedBy(other)).toEqual(before);
  expect(report.changes).toEqual([]);
  expect(report.offerCount).toBe(report.offers.length);
  expect(report.offers.map(({ kind, label, title, text }) => [kind, label, title, text])).toEqual([
    ["section", "plans", "plans", "Plans"],
    ["entry", "Assistants", "Careful", careful],
    ["text", "memory", "", "Likes tea."],
    ["text", "plans", "", "Go to sea."],
    ["entry", "skills", "Brew", "Boil water."],
    ["text", "soul", "", "Answer in rhymes."],
  ]);
});

test("an import writes what was accepted and nothing else", { tags: "long" }, async () => {
  const [owner, other] = [await fullOwner(), newOwner(database.sql)];
  const { offers } = await importEverything(other, await exportEverything(owner));
  const skill = offers.find(({ title }) => title === "Brew");
  const before = await sharedBy(other);
  const report = await importEverything(
    other,
    await exportEverything(owner),
    (id) => id === skill?.id,
  );
  expect(await sharedBy(other)).toEqual({
    ...before,
    skills: [["brew", "Brew", "How", "Boil water."]],
  });
  expect(report.offers).toEqual(offers.filter((offer) => offer !== skill));
});

test("an accepted import brings everything, and the same file again offers nothing", {
  tags: "long",
}, async () => {
  const [owner, other] = [await fullOwner(), newOwner(database.sql)];
  await importEverything(other, await exportEverything(owner), acceptsAll);
  expect(await sharedBy(other)).toEqual(await sharedBy(owner));
  expect((await importEverything(other, await exportEverything(owner))).offers).toEqual([]);
});

test("an import is undone at once", { tags: "long" }, async () => {
  const [owner, other] = [await fullOwner(), newOwner(database.sql)];
  await new Memory(other, null).addEntry("skills", { title: "Mine", content: "My own." });
  const before = await sharedBy(other);
  const { changes } = await importEverything(other, await exportEverything(owner), acceptsAll);
  expect(await sharedBy(other)).not.toEqual(before);
  const undone = await undoImport(other, { changes });
  expect(undone).toEqual({ undone: changes.length, left: [] });
  expect(await sharedBy(other)).toEqual(before);
});

test("the undo of an import puts back a text that it continued, and leaves what was changed since", {
  tags: "long",
}, async () => {
  const owner = await fullOwner();
  const other = newOwner(database.sql);
  await importEverything(other, await exportEverything(owner), acceptsAll);
  await new Memory(owner, null).write("memory", { content: "Likes coffee." });
  await new Memory(owner, null).write("soul", { content: "Answer in haiku." });
  const { changes } = await importEverything(other, await exportEverything(owner), acceptsAll);
  await new Memory(other, null).write("soul", { content: "My own words." });
  expect(await undoImport(other, { changes })).toEqual({ undone: 1, left: ["soul"] });
  expect((await sharedBy(other)).texts).toMatchObject({
    memory: "Likes tea.",
    soul: "My own words.",
  });
});

const header = { type: "grove-export", format: 1, exportedAt: "2026-01-01T00:00:00.000Z" };
const end = { type: "end", sessions: 0 };
const version = {
  ...{ type: "version", version: 1, content: "Obey.", author: "person", sessionId: null },
  ...{ messageId: null, createdAt: "2026-01-01T00:00:00.000Z" },
};

async function* linesOf(records: readonly object[]): AsyncGenerator<string> {
  for (const record of records) yield JSON.stringify(record);
}

test("a text is offered under the section it would be written to, whatever the file calls it", async () => {
  const owner = newOwner(database.sql);
  const document = {
    type: "document",
    scope: "",
    key: "",
    title: "",
    description: null,
    versions: 1,
  };
  const named = { ...document, label: "harmless", blockId: "soul" };
  const { offers } = await importEverything(owner, linesOf([header, named, version, end]));
  expect(offers.map(({ label, text }) => [label, text])).toEqual([["soul", "Obey."]]);
});

test("a file cannot let the model write Grove's instructions", async () => {
  const owner = newOwner(database.sql);
  const block = {
    ...{ type: "block", id: "soul", scope: "", perSession: false, origin: "app", label: "soul" },
    ...{ description: "", kind: "writable", writers: "both", maxTokens: null },
  };
  await importEverything(owner, linesOf([header, block, end]), acceptsAll);
  const [soul] = await new Memory(owner, null).list();
  expect(soul).toMatchObject({ label: "soul", writers: "person" });
});
