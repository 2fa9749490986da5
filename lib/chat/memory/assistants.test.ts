import { afterAll, beforeAll, expect, test } from "vitest";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import { undoImport } from "@/lib/chat/data/undo-import";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { assistantsLabel } from "@/lib/chat/wire/assistants";
import { addEntryRequest } from "@/lib/chat/wire/memory";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { defaultAssistantOf } from "./assistant-in-use";
import { addAssistant, assistantsOf, assistantsView } from "./assistants";
import { Memory } from "./memory";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ofGrove = ["Coder", "Critic", "Researcher", "Translator", "Tutor", "Writer"];
const preset = (name: string, temperature: number) => {
  return { name, model: "openai/gpt-5", parameters: { temperature, reasoning: "high" } };
};

async function namesOf(owner: OwnerServices): Promise<string[]> {
  return (await assistantsView(owner)).assistants.map(({ name }) => name);
}

test("six come with Grove; a deleted one stays away until it is restored", async () => {
  const owner = newOwner(database.sql);
  expect(await namesOf(owner)).toEqual(ofGrove);
  const memory = new Memory(owner, null);
  await memory.removeEntry(assistantsLabel, "critic");
  const { assistants, deleted } = await assistantsView(owner);
  expect(assistants.map(({ name }) => name)).toEqual(ofGrove.filter((name) => name !== "Critic"));
  expect(deleted.map(({ key }) => key)).toEqual(["critic"]);
  const [{ key = "", text = "", name = "" } = {}] = deleted;
  await memory.writeEntry(assistantsLabel, key, {
    title: name,
    content: text,
    expectedVersion: null,
  });
  expect(await namesOf(owner)).toEqual(ofGrove);
  expect((await memory.versions({ blockId: assistantsLabel, key: "critic" })).length).toBe(3);
});

test("presets of 0.2.0 and since become assistants with the same model and parameters, once", async () => {
  const owner = newOwner(database.sql);
  const odd = { id: "odd", name: "Odd", model: 7 };
  await owner.settings.change({
    presets: [{ id: "a", ...preset("Careful: slow", 0) }, odd],
    "preset:b": preset("Careful", 1),
    "preset:c": preset("Careful", 0.5),
    "preset:d": { name: "Any model", model: null, parameters: {} },
  });
  const { assistants } = await assistantsView(owner);
  const made = assistants.filter(({ name }) => !ofGrove.includes(name));
  const whole = (temperature: number) => ["openai/gpt-5", { temperature, reasoning: "high" }];
  expect(made.map(({ name, model, parameters }) => [name, model, parameters])).toEqual([
    ["Any model", null, {}],
    ["Careful", ...whole(1)],
    ["Careful 2", ...whole(0.5)],
    ["Careful: slow", ...whole(0)],
  ]);
  const stored = await owner.settings.read();
  expect(["a", "b", "c", "d"].map((id) => stored[`preset:${id}`])).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(stored.presets).toEqual([odd]);
  await new Memory(owner, null).removeEntry(assistantsLabel, "careful");
  expect(await namesOf(owner)).not.toContain("Careful");
});

test("presets that another process stores at the same moment are there once", async () => {
  const owner = newOwner(database.sql);
  await owner.settings.change({ "preset:a": preset("Careful", 0) });
  await Promise.all([assistantsView(owner), assistantsView(owner), assistantsView(owner)]);
  expect(await namesOf(owner)).toEqual(["Careful", ...ofGrove]);
});

test("presets of an older export are offered as assistants, taken, and taken back", async () => {
  const owner = newOwner(database.sql);
  const lines = [
    { type: "grove-export", format: 1, exportedAt: "2026-01-01T00:00:00.000Z" },
    {
      ...{ type: "settings", defaultModel: null, modelOverrides: [] },
      presets: [{ id: "p", ...preset("Careful", 0) }],
    },
    { type: "end", sessions: 0 },
  ].map((line) => JSON.stringify(line));
  const read = async function* () {
    yield* lines;
  };
  const { offers } = await importEverything(owner, read());
  expect(offers.map(({ kind, label, title }) => [kind, label, title])).toEqual([
    ["entry", "Assistants", "Careful"],
  ]);
  expect(await namesOf(owner)).toEqual(ofGrove);
  const { changes } = await importEverything(owner, read(), () => true);
  expect(await namesOf(owner)).toEqual(["Careful", ...ofGrove]);
  expect((await importEverything(owner, read())).offers).toEqual([]);
  await undoImport(owner, { changes });
  expect(await namesOf(owner)).toEqual(ofGrove);
});

test("an export holds what is written, and another account takes it up with its versions", async () => {
  const [owner, other] = [newOwner(database.sql), newOwner(database.sql)];
  await assistantsView(owner);
  const memory = new Memory(owner, null);
  const text = "---\nname: Writer\ncolor: blue\n---\n\nWrite in rhymes.\n";
  const written = { title: "Writer", content: text, expectedVersion: 1 };
  await memory.writeEntry(assistantsLabel, "writer", written);
  await importEverything(other, await exportEverything(owner), () => true);
  const taken = new Memory(other, null);
  expect((await taken.entry(assistantsLabel, "writer")).content).toBe(text);
  expect(await taken.versions({ blockId: assistantsLabel, key: "writer" })).toHaveLength(2);
  expect(await namesOf(other)).toEqual(ofGrove);
});

test("a front matter that cannot be read is refused with its line, and nothing is stored", async () => {
  const owner = newOwner(database.sql);
  const memory = new Memory(owner, null);
  const content = "---\nname: Mine\nfree text\n---\nBe kind.";
  await expect(memory.addEntry(assistantsLabel, { title: "Mine", content })).rejects.toMatchObject({
    code: "bad-assistant",
    message: "Line 3: “free text” is no “key: value”.",
  });
  expect(await namesOf(owner)).toEqual(ofGrove);
  expect(addEntryRequest.safeParse({ title: "Mine", content: "x".repeat(1_000_000) }).success).toBe(
    false,
  );
});

test("a name is taken once, in whatever case, and of two saves at once one is refused", async () => {
  const owner = newOwner(database.sql);
  await assistantsView(owner);
  const memory = new Memory(owner, null);
  const text = (name: string, body = "") => `---\nname: ${name}\n---\n\n${body}`;
  await memory.addEntry(assistantsLabel, { title: "x", content: text("Poet") });
  const taken = { code: "entry-exists" };
  await expect(
    memory.addEntry(assistantsLabel, { title: "x", content: text("POET") }),
  ).rejects.toMatchObject(taken);
  const renamed = { title: "x", content: text("coder") };
  await expect(memory.writeEntry(assistantsLabel, "poet", renamed)).rejects.toMatchObject(taken);
  const saves = ["One", "Two"].map((body) => {
    const content = text("Poet", body);
    return memory.writeEntry(assistantsLabel, "poet", { title: "x", content, expectedVersion: 1 });
  });
  const outcomes = await Promise.allSettled(saves);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await memory.versions({ blockId: assistantsLabel, key: "poet" })).toHaveLength(2);
});

test("a new assistant never takes the key of a deleted one, and an undone deletion brings that one back", async () => {
  const owner = newOwner(database.sql);
  const memory = new Memory(owner, null);
  const text = (body: string) => `---\nname: Poet\n---\n\n${body}`;
  const add = async (body: string) =>
    (await memory.addEntry(assistantsLabel, { title: "x", content: text(body) })).key;
  expect(await add("In rhymes.")).toBe("poet");
  await memory.removeEntry(assistantsLabel, "poet");
  expect(await add("In prose.")).toBe("poet-2");
  const byDefault = { ...owner, defaultAssistant: "poet" };
  expect(await defaultAssistantOf(byDefault)).toBeNull();
  const added = await addAssistant(await assistantsOf(owner), {
    name: "Poet",
    text: text("Slowly."),
  });
  expect(added).toEqual({ key: "poet-2-2", version: 1 });
  await memory.removeEntry(assistantsLabel, "poet-2");
  await memory.writeEntry(assistantsLabel, "poet", {
    ...{ title: "x", content: text("In rhymes."), expectedVersion: null },
  });
  expect((await defaultAssistantOf(byDefault))?.ref).toEqual({
    key: "poet",
    version: 3,
    name: "Poet",
  });
});

test("no chat, program or search of memory has assistants among its sections", async () => {
  const owner = newOwner(database.sql);
  await assistantsView(owner);
  const blocks = await new Memory(owner, null).list();
  expect(blocks.map(({ label }) => label)).not.toContain(assistantsLabel);
});
