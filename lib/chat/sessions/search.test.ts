import { PostgresSessionStore } from "grove-session/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { sessionNamed, summariesLast } from "./search";

let database: TestDatabase;
let store: PostgresSessionStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresSessionStore(database.sql, crypto.randomUUID());
  const titles = { a: "A balcony garden", b: "Garden", c: "Garden tea", d: "b", e: "100%" };
  for (const [id, title] of Object.entries(titles)) await store.sessions.create(title, { id });
});
afterAll(() => database.drop());

const named = async (name: string) => {
  const found = await sessionNamed(store.sessions, name);
  return found && { id: found.session.id, isSure: found.isSure };
};

test.each([
  ["an id wins over a title", "b", { id: "b", isSure: true }],
  ["a whole title wins over its beginning", "garden", { id: "b", isSure: true }],
  ["a title of several words", "a balcony garden", { id: "a", isSure: true }],
  ["a word of one title", "balcony", { id: "a", isSure: true }],
  ["a word of several titles means the one used last", "gard", { id: "c", isSure: false }],
  ["signs mean themselves", "100%", { id: "e", isSure: true }],
  ["a sign of one title", "%", { id: "e", isSure: true }],
  ["nothing called so", "_", null],
])("%s: %s", async (_, name, expected) => {
  expect(await named(name)).toEqual(expected);
});

test("sees no session of another owner, and none that was deleted", async () => {
  const other = new PostgresSessionStore(database.sql, crypto.randomUUID());
  expect(await sessionNamed(other.sessions, "b")).toBeNull();
  await other.sessions.create("Gone", { id: "gone" });
  await other.sessions.delete("gone");
  expect(await sessionNamed(other.sessions, "gone")).toBeNull();
});

test("summaries follow the messages of their chat, and chats keep their places", () => {
  const hit = (id: string, sessionId: string, place: "active" | "summary") => ({
    ...{ id, sessionId, place },
  });
  const hits = [
    hit("s1", "a", "summary"),
    hit("m1", "b", "active"),
    hit("m2", "a", "active"),
    hit("m3", "a", "active"),
  ];
  expect(summariesLast(hits).map(({ id }) => id)).toEqual(["m2", "m1", "m3", "s1"]);
});
