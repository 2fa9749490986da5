import { InMemorySessionStore, type SessionStore } from "grove-session";
import { PostgresSessionStore } from "grove-session/postgres";
import { afterAll, beforeAll, describe } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

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
