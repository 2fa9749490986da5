import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { writeHeavy } from "./heavy-answers";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("Heavy answers reach their viewers as they are stored", async () => {
  const { signal } = new AbortController();
  const options = { count: 10, seed: 1, signal, say: () => undefined };
  const { broken } = await writeHeavy(database.sql, options, { size: 2_000, longestTurnMs: null });
  expect(broken).toEqual([]);
});
