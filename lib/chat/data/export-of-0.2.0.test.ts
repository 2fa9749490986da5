import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assistantsView } from "@/lib/chat/memory/assistants";
import { Memory } from "@/lib/chat/memory/memory";
import { listSessions } from "@/lib/chat/sessions/session-detail";
import { transcript } from "@/lib/chat/sessions/transcript";
import { promptsView } from "@/lib/chat/settings/prompts";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { importEverything } from "./portable-data";

let database: TestDatabase;
let owner: OwnerServices;

// Written by 0.2.0 itself.
const written = new URL("testing/export-of-0.2.0.jsonl", import.meta.url);

async function* lines() {
  yield* (await readFile(written, "utf8")).trim().split("\n");
}

beforeAll(async () => {
  database = await createTestDatabase();
  owner = newOwner(database.sql);
  await importEverything(owner, lines(), () => true);
});
afterAll(() => database.drop());

test("pinned and labelled messages of 0.2.0 are bookmarks, with their names", async () => {
  const { entries } = await transcript(owner, "tea", {});
  expect(entries.map(({ message, pinned, label }) => [message.id, pinned, label])).toEqual([
    ["q1", true, "steeping"],
    ["a1", true, null],
    ["q2", false, null],
    ["a2", true, "oolong ✓"],
    ["q3", false, null],
  ]);
});

test("presets of 0.2.0 are assistants with their model and parameters", async () => {
  const { assistants } = await assistantsView(owner);
  const imported = assistants.filter(({ name }) => /Careful|Loose/.test(name));
  expect(imported.map(({ name, model, parameters }) => [name, model, parameters])).toEqual([
    ["Careful", "openai/gpt-5", { temperature: 0, reasoning: "high" }],
    ["Loose: any model", null, { temperature: 1.5 }],
  ]);
});

test("prompts of 0.2.0 keep their texts, and a name that a command took gets a number", async () => {
  const { prompts } = await promptsView(owner);
  expect(prompts.map(({ name, text }) => [name, text])).toEqual([
    ["branch-2", "Name a branch of tea."],
    ["steep", "How long does {{tea}} steep?"],
  ]);
});

test("chats of 0.2.0 keep their title, tags, pin and place in the archive", async () => {
  const query = { tag: undefined, cursor: undefined, limit: undefined, program: undefined };
  const [kept, archived] = await Promise.all(
    [false, true].map(async (isArchived) => {
      const { sessions } = await listSessions(owner, { ...query, archived: isArchived });
      return sessions.map(({ id, title, tags, pinned }) => [id, title, tags, pinned]);
    }),
  );
  expect(kept).toEqual([["tea", "Tea at home", ["drinks", "home"], true]]);
  expect(archived).toEqual([["old", "Old", [], false]]);
});

test("memory, instructions, knowledge and skills of 0.2.0 are there", async () => {
  const memory = new Memory(owner, null);
  const texts = Object.fromEntries((await memory.list()).map((each) => [each.label, each.content]));
  expect(texts).toMatchObject({ memory: "Likes loose leaves.", soul: "Answer in rhymes." });
  const entriesOf = async (label: string) =>
    (await memory.entries(label)).map(({ title, content }) => [title, content]);
  expect(await entriesOf("knowledge")).toEqual([["Oolong", "Four minutes at 90 °C."]]);
  expect(await entriesOf("skills")).toEqual([["Brew", "Boil water."]]);
});

test("the same file again offers and changes nothing", async () => {
  const report = await importEverything(owner, lines());
  expect(report).toMatchObject({ offers: [], changes: [], problems: [] });
  expect(report.sessions).toMatchObject({ imported: 0, already: 2 });
});
