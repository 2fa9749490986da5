import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { allModelFaults } from "./model-fault-list";
import { runFaults } from "./model-faults";

// Each answer has a time of its own, as long as that of a test.
const longestMs = 300_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it(
  "Every fault of a provider ends the answer, keeps its text and is named, and the chat goes on",
  async () => {
    const { signal } = new AbortController();
    const count = allModelFaults.length;
    const { broken } = await runFaults(database.sql, {
      count,
      seed: 1,
      signal,
      say: () => undefined,
    });
    expect(broken).toEqual([]);
  },
  longestMs,
);
