import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { matrixSize, runDialects } from "./dialects";

const longestMs = 600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it(
  "Every server answers in every situation, however strict it is",
  async () => {
    const { signal } = new AbortController();
    const options = { count: matrixSize, seed: 1, signal, say: () => undefined };
    const { broken } = await runDialects(database.sql, options);
    expect(broken).toEqual([]);
  },
  longestMs,
);
