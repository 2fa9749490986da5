import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import { overrides, overridesIn } from "@/lib/chat/settings/model-overrides";
import { presets, presetsIn } from "@/lib/chat/settings/presets";
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

async function changePresets(owner: Owner, values: Parameters<typeof presets.changes>[0]) {
  await owner.settings.change(presets.allowedChanges(await owner.settings.read(), values));
}
async function changeOverrides(owner: Owner, values: Parameters<typeof overrides.changes>[0]) {
  await owner.settings.change(overrides.changes(values));
}
async function presetNames(owner: Owner): Promise<string[]> {
  return presetsIn(await owner.settings.read()).map(({ name }) => name);
}

describe("presets", () => {
  test("are listed by name, and each is replaced or deleted by its id", async () => {
    const owner = newOwner(database.sql);
    await changePresets(owner, { b: preset("Long"), a: preset("Short"), c: preset("Brief") });
    await changePresets(owner, { a: preset("Careful"), b: null });
    expect(presetsIn(await owner.settings.read())).toEqual([
      { id: "c", ...preset("Brief") },
      { id: "a", ...preset("Careful") },
    ]);
  });

  test("of two that are deleted at once, neither comes back", async () => {
    const owner = newOwner(database.sql);
    await changePresets(owner, { a: preset("A"), b: preset("B"), c: preset("C") });
    await Promise.all(["a", "b"].map((id) => changePresets(owner, { [id]: null })));
    expect(await presetNames(owner)).toEqual(["C"]);
  });

  test("of 0.1.0 stay until they are replaced or deleted", async () => {
    const owner = newOwner(database.sql);
    const list = ["a", "b", "c"].map((id) => ({ id, ...preset(id.toUpperCase()) }));
    await owner.settings.change({ presets: list });
    await changePresets(owner, { a: null, b: preset("Brief") });
    expect(await presetNames(owner)).toEqual(["Brief", "C"]);
  });

  test("are at most a hundred, and others can still be replaced", async () => {
    const owner = newOwner(database.sql);
    const ids = Array.from({ length: 100 }, (_, n) => `p${n}`);
    await changePresets(owner, Object.fromEntries(ids.map((id) => [id, preset(id)])));
    await expect(changePresets(owner, { more: preset("More") })).rejects.toThrow(
      "There can be at most 100 presets.",
    );
    await changePresets(owner, { p0: preset("Changed") });
    await changePresets(owner, { p1: null, more: preset("More") });
    expect(await presetNames(owner)).toHaveLength(100);
    await owner.settings.change(presets.changes({ a: preset("A"), b: preset("B") }));
    await changePresets(owner, { a: null });
    expect(await presetNames(owner)).toHaveLength(101);
  });
});

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

test("presets and facts leave with an export and come back, next to those that are there", async () => {
  const [owner, other] = [newOwner(database.sql), newOwner(database.sql)];
  await changePresets(owner, { a: preset("A"), b: preset("B") });
  await changeOverrides(owner, { "a/one": window(8_000), "b/two": window(9_000) });
  await changePresets(other, { a: preset("Mine") });
  await changeOverrides(other, { "a/one": window(1_000) });
  const report = await importEverything(other, await exportEverything(owner), acceptsAll);
  expect(await presetNames(other)).toEqual(["B", "Mine"]);
  expect(overridesIn(await other.settings.read())).toEqual([
    { ref: "a/one", ...window(1_000) },
    { ref: "b/two", ...window(9_000) },
  ]);
  const stays = (field: string, label: string) => ({
    line: 2,
    field,
    message: `“${label}” is different here and stays as it is.`,
  });
  expect(report.problems).toEqual([stays("presets", "Mine"), stays("modelOverrides", "a/one")]);
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
  expect(await presetNames(owner)).toEqual(["B"]);
  expect(overridesIn(await owner.settings.read())).toHaveLength(1);
});

async function* linesOf(rows: readonly object[]) {
  for (const row of rows) yield JSON.stringify(row);
}

test("an import leaves no preset out, also beyond a hundred, and what it made is imported again", async () => {
  const owners = [newOwner(database.sql), newOwner(database.sql), newOwner(database.sql)] as const;
  const [owner, other, third] = owners;
  const named = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${prefix}${n}`, preset(`${n}`)]));
  await changePresets(owner, named("a"));
  await changePresets(other, named("b"));
  await importEverything(other, await exportEverything(owner), acceptsAll);
  expect(await presetNames(other)).toHaveLength(200);
  await importEverything(third, await exportEverything(other), acceptsAll);
  expect(await presetNames(third)).toHaveLength(200);
});
