import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import { assistantsView } from "@/lib/chat/memory/assistants";
import { overrides, overridesIn } from "@/lib/chat/settings/model-overrides";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Owner = ReturnType<typeof newOwner>;

const preset = (name: string) => ({ name, model: null, parameters: { temperature: 0.5 } });
const window = (contextWindow: number) => ({
  contextWindow,
  inputPerMillion: null,
  outputPerMillion: null,
});

async function changeOverrides(owner: Owner, values: Parameters<typeof overrides.changes>[0]) {
  await owner.settings.change(overrides.changes(values));
}
describe("facts about models", () => {
  test("that cannot be read hide no other, and stay when others change", async () => {
    const owner = newOwner(database.sql);
    const odd = { ref: "odd", contextWindow: "large" };
    const stored = [odd, { ref: "one", ...window(9_000) }];
    await owner.settings.change({ modelOverrides: stored, "override:two": odd });
    await changeOverrides(owner, { three: window(5_000), one: window(7_000) });
    const settings = await owner.settings.read();
    expect(overridesIn(settings)).toEqual([
      { ref: "one", ...window(7_000) },
      { ref: "three", ...window(5_000) },
    ]);
    expect(settings).toMatchObject({ modelOverrides: stored, "override:two": odd });
  });

  test("of two that are corrected at once are both kept", async () => {
    const owner = newOwner(database.sql);
    const refs = ["a/one", "b/two"];
    await Promise.all(refs.map((ref) => changeOverrides(owner, { [ref]: window(8_000) })));
    const known = overridesIn(await owner.settings.read());
    expect(known.map(({ ref }) => ref).sort()).toEqual(refs);
  });
});

const acceptsAll = () => true;

test("facts leave with an export and come back, next to those that are there", async () => {
  const [owner, other] = [newOwner(database.sql), newOwner(database.sql)];
  await changeOverrides(owner, { "a/one": window(8_000), "b/two": window(9_000) });
  await changeOverrides(other, { "a/one": window(1_000) });
  const report = await importEverything(other, await exportEverything(owner), acceptsAll);
  expect(overridesIn(await other.settings.read())).toEqual([
    { ref: "a/one", ...window(1_000) },
    { ref: "b/two", ...window(9_000) },
  ]);
  const stays = (field: string, label: string) => ({
    line: 2,
    field,
    message: `“${label}” is different here and stays as it is.`,
  });
  expect(report.problems).toEqual([stays("modelOverrides", "a/one")]);
  const again = await importEverything(owner, await exportEverything(owner), acceptsAll);
  expect(again.problems).toEqual([]);
});

test("an import names what it cannot read, and takes the rest", async () => {
  const owner = newOwner(database.sql);
  const lines = [
    { type: "grove-export", format: 1, exportedAt: new Date().toISOString() },
    {
      type: "settings",
      defaultModel: null,
      modelOverrides: [{ ref: "a/one", ...window(8_000) }, { ref: "a/two" }],
      presets: [{ id: "a", ...preset(" ") }, preset("no id"), { id: "b", ...preset("B") }],
      prompts: [{ id: "p", name: "two words", text: "T" }],
    },
    { type: "end", sessions: 0 },
  ];
  const report = await importEverything(owner, linesOf(lines), acceptsAll);
  expect(report.problems.map(({ line, field }) => [line, field])).toEqual([
    [2, "presets.0.name"],
    [2, "presets.1.id"],
    [2, "modelOverrides.1.contextWindow"],
    [2, "prompts.0.name"],
  ]);
  expect(report.problems[0]?.message).toBe("It was left out: must not be empty.");
  const { assistants } = await assistantsView(owner);
  expect(assistants.map(({ name }) => name)).toContain("B");
  expect(overridesIn(await owner.settings.read())).toHaveLength(1);
});

async function* linesOf(rows: readonly object[]) {
  for (const row of rows) yield JSON.stringify(row);
}
