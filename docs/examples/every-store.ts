import { afterAll, beforeAll, describe } from "vitest";
import { PostgresSessionStore } from "@/lib/postgres";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { InMemorySessionStore, type SessionStore } from "@/lib/session";

/** Runs examples on both stores; `openStore` gives an empty one, of another owner every time. */
export function onEveryStore(examples: (openStore: () => SessionStore) => void): void {
  describe("in memory", () => {
    examples(() => new InMemorySessionStore());
  });
  describe("in Postgres", () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
    });
    afterAll(() => database.drop());
    examples(() => new PostgresSessionStore(database.sql, crypto.randomUUID()));
  });
}
