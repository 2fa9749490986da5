import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import {
  type ProviderWrite,
  readModelSettings,
  saveProvider,
  storedProviders,
} from "./model-settings";
import type { OwnerServices } from "./owner-services";
import type { Services } from "./services";
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

const keyFile = () => join(folder, "secrets.key");
const provider: ProviderWrite = {
  id: "mine",
  provider: "compatible",
  name: "Mine",
  baseUrl: "https://models.example/v1",
  apiKey: key,
};
const save = (owner: OwnerServices, change: Partial<ProviderWrite> = {}) =>
  saveProvider(owner, keyFile(), { ...provider, ...change });
const keyOf = async (owner: OwnerServices) => {
  const { providers } = (await readModelSettings(owner, keyFile())) as {
    providers: { apiKey?: string }[];
  };
  return providers[0]?.apiKey ?? null;
};

describe("providers of one kind", () => {
  test("have different names, and each keeps its own when it is written again", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    await expect(save(owner, { id: "other", name: " mine " })).rejects.toThrow(
      "There is a provider called",
    );
    await save(owner, { id: "other", provider: "openai" });
    await save(owner, { apiKey: undefined });
    expect(await storedProviders(owner)).toMatchObject([{ id: "mine" }, { id: "other" }]);
  });
});

describe("a stored key", () => {
  test("comes back for the registry alone", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    expect(await readModelSettings(owner, keyFile())).toEqual({
      providers: [
        { provider: "compatible", name: "Mine", baseUrl: "https://models.example/v1", apiKey: key },
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
      },
    ]);
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
      description: row.description.replace("models.example", "elsewhere.example"),
    });
    expect(await keyOf(owner)).toBeNull();
  });

  test("is nowhere in the database, and in no answer about settings", async () => {
    const owner = newOwner(database.sql);
    await save(owner);
    const rows = await database.sql`select * from chat_secret where owner_id = ${owner.ownerId}`;
    expect(JSON.stringify(rows)).not.toContain(key);
    const view = await settingsView({ dataLocation: "here" } as Services, owner);
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
