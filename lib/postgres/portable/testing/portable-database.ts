import { afterAll, beforeAll } from "vitest";
import { PostgresSessionStore } from "../../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database";
import { importLines } from "../import-lines";
import { exportedLines } from "./full-owner";

export function portableDatabase() {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  return {
    get sql() {
      return database.sql;
    },
    newOwner: () => crypto.randomUUID() as string,
    storeOf: (owner: string) => new PostgresSessionStore(database.sql, owner),
    exported: (owner: string, sessionId?: string) => exportedLines(database.sql, owner, sessionId),
    imported: (owner: string, lines: readonly string[]) =>
      importLines(database.sql, given(lines), { ownerId: owner }),
  };
}

async function* given(lines: readonly string[]) {
  yield* lines;
}
