import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry, type ProviderSettings } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { SecretBox } from "@/lib/server/secret-box";
import { type ProviderWrite, readModelSettings, saveProvider, storedProviders } from "./providers";
import { settingsView } from "./settings-view";

const key = "sk-test-0123456789-a7fe";
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-settings-"));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const sealer = () => new SecretBox(join(folder, "secrets.key"));
const provider: ProviderWrite = {
  id: "mine",
  provider: "compatible",
  name: "Mine",
  baseUrl: "https://models.example/v1",
  apiKey: key,
};
const save = (owner: OwnerServices, change: Partial<ProviderWrite> = {}) =>
  saveProvider(owner, sealer(), { ...provider, ...change });
const keyOf = async (owner: OwnerServices) => {
  const { providers } = (await readModelSettings(owner, sealer())) as {
    providers: readonly { apiKey?: string }[];
  };
  return providers[0]?.apiKey ?? null;
};

describe("providers of one kind", () => {
  test("have different names, and each keeps its own when it is written again", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    await expect(save(owner, { id: "other", name: " mine " })).rejects.toThrow("A provider named");
    await save(owner, { id: "other", provider: "openai" });
    await save(owner, { apiKey: undefined });
    expect(await storedProviders(owner)).toMatchObject([{ id: "mine" }, { id: "other" }]);
  });
});

describe("what models are named by", () => {
  const refs = async (owner: OwnerServices) => {
    const settings = await readModelSettings(owner, sealer());
    const providers = settings.providers.map((each) => ({
      ...(each as ProviderSettings),
      models: ["m"],
    }));
    const environment = { GROVE_DISCOVER_LOCAL: "0" };
    const registry = createModelRegistry({
      environment,
      settings: { ...settings, providers },
      fallback: demoSource({}),
    });
    const models = (await registry.listModels()).filter(({ isDemo }) => !isDemo);
    return models.map(({ ref, providerLabel }) => [ref, providerLabel]);
  };

  test("stays when a provider is renamed, and the next provider of that name gets another one", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    expect(await refs(owner)).toEqual([["compatible:mine/m", "Mine"]]);
    await save(owner, { name: "Ours" });
    await save(owner, { name: "Ours, moved", baseUrl: "https://other.example/v1" });
    expect(await refs(owner)).toEqual([["compatible:mine/m", "Ours, moved"]]);
    await save(owner, { id: "second" });
    expect(await refs(owner)).toEqual([
      ["compatible:mine/m", "Ours, moved"],
      ["compatible:mine-2/m", "Mine"],
    ]);
  });

  test("stays for a provider that was stored before this was noted, numbered or not", async () => {
    const owner = newOwner(database.sql);
    const { provider: kind, baseUrl } = provider;
    for (const name of ["a", "b"]) {
      const description = { provider: kind, name: "Mine", baseUrl, keyHint: null };
      await owner.settings.saveSecret({ name, description, sealed: null });
    }
    const before = (await refs(owner)).map(([ref]) => ref);
    expect(before).toEqual(["compatible:mine/m", "compatible:mine-2/m"]);
    await save(owner, { id: "a", name: "First" });
    await save(owner, { id: "b", name: "Second" });
    expect((await refs(owner)).map(([ref]) => ref)).toEqual(before);
  });

  test("is new for one that has become a provider of another kind", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    await save(owner, { provider: "openai", name: "Work", baseUrl: null });
    expect(await refs(owner)).toEqual([["openai:work/m", "Work"]]);
  });
});

describe("a stored key", () => {
  test("comes back for the registry alone", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    expect(await readModelSettings(owner, sealer())).toEqual({
      providers: [
        {
          provider: "compatible",
          ref: "compatible:mine",
          name: "Mine",
          baseUrl: "https://models.example/v1",
          apiKey: key,
        },
      ],
      overrides: {},
    });
    expect(await storedProviders(owner)).toEqual([
      {
        id: "mine",
        provider: "compatible",
        name: "Mine",
        baseUrl: "https://models.example/v1",
        keyHint: "a7fe",
        ref: "compatible:mine",
      },
    ]);
  });

  test("opens for temporary chats of the same person", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    const { providers } = await readModelSettings(owner.temporaryChats, sealer());
    expect(providers).toMatchObject([{ apiKey: key }]);
  });

  test("stays when the name changes, and goes when it is taken away", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    await save(owner, { name: "Renamed", apiKey: undefined });
    expect(await keyOf(owner)).toBe(key);
    expect(await storedProviders(owner)).toMatchObject([{ name: "Renamed", keyHint: "a7fe" }]);
    await save(owner, { apiKey: null });
    expect(await keyOf(owner)).toBeNull();
    expect(await storedProviders(owner)).toMatchObject([{ keyHint: null }]);
  });

  test.each([
    ["address", { baseUrl: "https://elsewhere.example/v1" }],
    ["provider", { provider: "openai" as const }],
  ])("is dropped when the %s changes", async (_, change) => {
    const owner = newOwner(database.sql);
    await save(owner);
    await save(owner, { ...change, apiKey: undefined });
    expect(await keyOf(owner)).toBeNull();
    expect(await storedProviders(owner)).toMatchObject([{ keyHint: null }]);
  });

  test("does not open in the row of another owner, another provider or another address", async () => {
    const [owner, thief] = [newOwner(database.sql), newOwner(database.sql)];
    await save(owner);
    const [row] = await owner.settings.secrets();
    if (!row) throw new Error("Nothing was stored.");
    await thief.settings.saveSecret(row);
    expect(await keyOf(thief)).toBeNull();
    await owner.settings.removeSecret(row.name);
    await owner.settings.saveSecret({ ...row, name: "copied" });
    expect(await keyOf(owner)).toBeNull();
    await owner.settings.removeSecret("copied");
    await owner.settings.saveSecret({
      ...row,
      description: { ...row.description, baseUrl: "https://elsewhere.example/v1" },
    });
    expect(await keyOf(owner)).toBeNull();
  });

  test("is nowhere in the database, and in no answer about settings", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    const rows = await database.sql`select * from chat_secret where owner_id = ${owner.spaceId}`;
    expect(JSON.stringify(rows)).not.toContain(key);
    const view = await settingsView({ environment: {}, version: "0", dataLocation: "here" }, owner);
    expect(JSON.stringify(view)).not.toContain(key);
    expect(view.providers.find(({ id }) => id === "mine")).toMatchObject({ keyHint: "a7fe" });
  });

  test("that is short gives nothing of itself away", async () => {
    const owner = newOwner(database.sql);
    await save(owner, { apiKey: "1234" });
    expect(await storedProviders(owner)).toMatchObject([{ keyHint: "…" }]);
    expect(await keyOf(owner)).toBe("1234");
  });
});

test("settings show the environment's providers and leave out those with an invalid address", async () => {
  const owner = newOwner(database.sql);
  const environment = {
    ANTHROPIC_API_KEY: key,
    OPENAI_COMPATIBLE_BASE_URL: "models.example",
  };
  const view = await settingsView({ environment, version: "0", dataLocation: "here" }, owner);
  expect(view.providers).toEqual([
    {
      id: "environment-anthropic",
      provider: "anthropic",
      name: "Anthropic",
      baseUrl: null,
      keyHint: "a7fe",
      fromEnvironment: true,
    },
  ]);
});

test("a stored provider that cannot be used is a problem, stays in the list and hides no other", async () => {
  const owner = newOwner(database.sql);
  await save(owner, { id: "fine" });
  const context = { sealed: null };
  await owner.settings.saveSecret({
    name: "odd",
    description: {
      provider: "telepathy",
      name: "Odd",
      baseUrl: "https://a.example",
      keyHint: "7fe1",
    },
    ...context,
  });
  await owner.settings.saveSecret({
    name: "query",
    description: {
      provider: "compatible",
      name: "Query",
      baseUrl: "https://a.example/v1?key=1",
      keyHint: null,
    },
    ...context,
  });
  const registry = createModelRegistry({
    environment: { GROVE_DISCOVER_LOCAL: "0" },
    settings: await readModelSettings(owner, sealer()),
    fallback: demoSource({}),
    fetch: async () => Response.json({ data: [{ id: "m" }] }),
  });
  expect((await registry.listModels()).map(({ ref }) => ref)).toContain("compatible:mine/m");
  expect(
    registry
      .problems()
      .map(({ message }) => message)
      .sort(),
  ).toEqual([
    expect.stringMatching(/^Odd is saved in Settings, but cannot be used: Invalid option/),
    "Query is saved in Settings, but cannot be used: An address holds no user name, password or query.",
  ]);
  const listed = await storedProviders(owner);
  expect(listed.map(({ id }) => id).sort()).toEqual(["fine", "odd", "query"]);
  expect(listed.find(({ id }) => id === "odd")).toMatchObject({ name: "Odd", keyHint: null });
});

test("the 51st provider is refused and the others stay", { tags: "long" }, async () => {
  const owner = newOwner(database.sql);
  for (let n = 0; n < 50; n++)
    await save(owner, { id: `p${n}`, name: `Server ${n}`, apiKey: null });
  await expect(save(owner, { id: "more", name: "More" })).rejects.toThrow("50 providers already");
  await save(owner, { id: "p3", name: "Renamed", apiKey: null });
  expect(await storedProviders(owner)).toHaveLength(50);
});
