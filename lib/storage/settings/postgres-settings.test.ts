import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { PostgresSettings } from "./postgres-settings";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("changes made at once to different settings are all kept, the first ones included", async () => {
  const settings = new PostgresSettings(database.sql, "person");
  const names = Array.from({ length: 40 }, (_, index) => `setting${index}`);
  await Promise.all(names.map((name, index) => settings.change({ [name]: index })));
  expect(await settings.read()).toEqual(
    Object.fromEntries(names.map((name, index) => [name, index])),
  );
});

test("leaves what is undefined and stores what is null", async () => {
  const settings = new PostgresSettings(database.sql, "other");
  await settings.change({ defaultModel: "a", modelOverrides: [1] });
  await settings.change({ defaultModel: null, modelOverrides: undefined });
  expect(await settings.read()).toEqual({ defaultModel: null, modelOverrides: [1] });
});
