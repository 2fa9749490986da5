import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emitting } from "grove-session/ports";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { HouseSettings } from "./house-settings";
import { settingsEvents } from "./owner-services";
import { SecretBox } from "./secret-box";

let database: TestDatabase;
let folder: string;
let owner: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "grove-house-"));
});
beforeEach(() => {
  owner = crypto.randomUUID();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function house(variables: Record<string, string> = {}, onChange: () => void = () => undefined) {
  return new HouseSettings({
    variables,
    store: emitting(new PostgresSettings(database.sql, owner), settingsEvents, onChange),
    sealer: new SecretBox(join(folder, "secrets.key")),
  });
}

test("what an administrator sets counts until it is taken back, and in other processes", async () => {
  const other = house();
  const here = house({}, () => void other.reread());
  await other.environment();
  await here.change({ GROVE_MAX_FILE_MB: "50", OPENAI_API_KEY: "sk-everyone" });
  const both = { GROVE_MAX_FILE_MB: "50", OPENAI_API_KEY: "sk-everyone" };
  expect(await here.environment()).toEqual(both);
  expect(await other.environment()).toEqual(both);
  expect(other.known).toEqual(both);
  await here.change({ OPENAI_API_KEY: null, GROVE_MAX_FILE_MB: null });
  expect(await here.environment()).toEqual({});
  expect(await other.environment()).toEqual({});
});

test("a variable of the process wins, and is shown as fixed", async () => {
  await house().change({ GROVE_MAX_FILE_MB: "50", GROVE_BACKUP_KEEP: "3" });
  const fixed = house({ GROVE_MAX_FILE_MB: "10", GROVE_BACKUP_KEEP: " " });
  expect(await fixed.environment()).toMatchObject({
    GROVE_MAX_FILE_MB: "10",
    GROVE_BACKUP_KEEP: "3",
  });
  const shown = (await fixed.view()).filter(({ name }) => /FILE_MB|KEEP/.test(name));
  expect(shown).toEqual([
    { name: "GROVE_MAX_FILE_MB", value: "10", isFixed: true, usual: "25" },
    { name: "GROVE_BACKUP_KEEP", value: "3", isFixed: false, usual: "7" },
  ]);
});

test("a key is sealed, and shown by its end alone", async () => {
  const settings = house();
  await settings.change({ ANTHROPIC_API_KEY: "sk-ant-secret" });
  const shown = (await settings.view()).find(({ name }) => name === "ANTHROPIC_API_KEY");
  expect(shown?.value).toBe("cret");
  const rows = await database.sql`select * from chat_secret where owner_id = ${owner}`;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("sk-ant-secret");
});

test("a key stays with the address it was given for", async () => {
  await house({ OPENAI_BASE_URL: "https://one.example/v1" }).change({ OPENAI_API_KEY: "sk-one" });
  const moved = house({ OPENAI_BASE_URL: "https://other.example/v1" });
  expect(await moved.environment()).not.toHaveProperty("OPENAI_API_KEY");
  const back = house({ OPENAI_BASE_URL: "https://one.example/v1" });
  expect(await back.environment()).toMatchObject({ OPENAI_API_KEY: "sk-one" });
});

test("a value that does not fit changes nothing, and names its field", async () => {
  const settings = house();
  const change = settings.change({ GROVE_BACKUP_KEEP: "5", GROVE_MAX_FILE_MB: "none" });
  await expect(change).rejects.toMatchObject({ code: "invalid-body", field: "GROVE_MAX_FILE_MB" });
  expect(await settings.environment()).toEqual({});
});

test("the environment is the same object until something changes", async () => {
  const settings = house();
  const before = await settings.environment();
  expect(await settings.environment()).toBe(before);
  await settings.change({ GROVE_DISCOVER_LOCAL: "0" });
  expect(await settings.environment()).not.toBe(before);
});
