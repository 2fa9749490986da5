import { afterAll, beforeAll, expect, test } from "vitest";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { deletePrompt, importedPrompts, promptsView, writePrompt } from "./prompts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const translate = { name: "translate", text: "Translate {{text}}" };

test("prompts are listed by name, replaced by their ids, and the owner's alone", async () => {
  const owner = newOwner(database.sql);
  await writePrompt(owner, "b", translate);
  await writePrompt(owner, "a", { name: "Zest", text: "Z" });
  await writePrompt(owner, "a", { name: "brief", text: "B" });
  expect((await promptsView(owner)).prompts).toEqual([
    { id: "a", name: "brief", text: "B" },
    { id: "b", ...translate },
  ]);
  expect((await promptsView(newOwner(database.sql))).prompts).toEqual([]);
});

test("a name is taken once, in any case, and not from a command", async () => {
  const owner = newOwner(database.sql);
  await writePrompt(owner, "a", translate);
  for (const name of ["Translate", "fork"])
    await expect(writePrompt(owner, "b", { name, text: "T" })).rejects.toThrow(
      `There is a “/${name}” already.`,
    );
});

test("a deleted prompt is gone, and writing it again brings it back", async () => {
  const owner = newOwner(database.sql);
  await writePrompt(owner, "a", translate);
  expect((await deletePrompt(owner, "a")).prompts).toEqual([]);
  expect((await writePrompt(owner, "a", translate)).prompts).toHaveLength(1);
});

const acceptsAll = () => true;

test("prompts leave with an export and come back, next to those that are there", async () => {
  const [owner, other] = [newOwner(database.sql), newOwner(database.sql)];
  await writePrompt(owner, "a", translate);
  await writePrompt(owner, "b", { name: "brief", text: "B" });
  await writePrompt(other, "mine", { name: "Brief", text: "My own" });
  const all = [
    { id: "mine", name: "Brief", text: "My own" },
    { id: "b", name: "brief-2", text: "B" },
    { id: "a", ...translate },
  ];
  for (const _ of ["first", "again"]) {
    const { problems } = await importEverything(other, await exportEverything(owner), acceptsAll);
    expect(problems).toEqual([]);
    expect((await promptsView(other)).prompts).toEqual(all);
  }
});

test("an imported prompt of a name that is taken gets a free one of 40 letters at most", async () => {
  const owner = newOwner(database.sql);
  const long = "𝒶".repeat(40);
  await writePrompt(owner, "a", { name: long, text: "A" });
  await writePrompt(owner, "b", translate);
  const { changes, leftOut } = importedPrompts(await owner.settings.read(), [
    { id: "c", name: long, text: "C" },
    { id: "d", name: "fork", text: "D" },
    { id: "e", name: "Translate", text: translate.text },
    { id: "f", name: "no name", text: "F" },
    { id: "b", ...translate, text: "An earlier text" },
    { id: "g", name: long, text: "G" },
  ]);
  await owner.settings.change(changes);
  expect(leftOut).toEqual([
    {
      field: "prompts.3.name",
      message: "It was left out: must be up to 40 letters, digits and hyphens.",
    },
    { field: "prompts", message: "“/translate” is different here and stays as it is." },
  ]);
  const { prompts } = await promptsView(owner);
  expect(Object.fromEntries(prompts.map(({ id, name }) => [id, name]))).toEqual({
    a: long,
    b: "translate",
    c: `${"𝒶".repeat(34)}-2`,
    d: "fork-2",
    g: `${"𝒶".repeat(34)}-3`,
  });
});
