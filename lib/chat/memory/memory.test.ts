import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { interceptedStatements } from "@/lib/postgres/connections/statement";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Memory } from "./memory";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("an autosave costs at most three statements", async () => {
  let statements = 0;
  const counting = interceptedStatements(database.sql, (query) => {
    statements += 1;
    return query;
  });
  const owner = newOwner(counting);
  await owner.store.sessions.create("Tea", { id: "tea" });
  const memory = new Memory(owner, "tea");
  const first = await memory.write("memory", { content: "Likes tea" });
  expect(statements).toBeGreaterThan(0);
  statements = 0;
  const { id, version } = first;
  const saved = await memory.write(id, { content: "Likes green tea", expectedVersion: version });
  expect(saved).toMatchObject({ id: "memory", content: "Likes green tea", version: 2 });
  expect(statements).toBeLessThanOrEqual(3);
});
