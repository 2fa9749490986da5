import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { notReadyBecause } from "./readiness";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

function parts() {
  const closing = new AbortController();
  return { sql: database.sql, closing, runner: { isEnding: false }, ready: async () => {} };
}

test("a process with its database is ready", async () => {
  expect(await notReadyBecause(parts())).toBeNull();
});

test("a process that is stopping receives no more requests", async () => {
  expect(await notReadyBecause({ ...parts(), runner: { isEnding: true } })).toBe(
    "Grove is stopping.",
  );
});

test("a process without its database is not ready", async () => {
  const ready = () => Promise.reject(new Error("refused"));
  expect(await notReadyBecause({ ...parts(), ready })).toBe("The database does not answer.");
});

test.each([
  ["08006", "A server behind the database does not answer."],
  ["NO_WRITABLE_SERVER", "The database is a standby, which takes no writes."],
])("a process whose database answers %s says: %s", async (code, sentence) => {
  const ready = () => Promise.reject(Object.assign(new Error("refused"), { code }));
  expect(await notReadyBecause({ ...parts(), ready })).toBe(sentence);
});

test("a long migration is waited for by nobody", { tags: "long" }, async () => {
  const ready = () => new Promise<void>(() => undefined);
  expect(await notReadyBecause({ ...parts(), ready })).toBe(
    "The database is being prepared or does not answer.",
  );
});
