import { afterEach, beforeEach, expect, test } from "vitest";
import { analysisVersion } from "../../session/internal";
import { user } from "../../session/testing";
import { PostgresSearchProvider } from "../memory/entries";
import { migrate } from "../migrate";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

const owner = "owner";
let database: TestDatabase;
let store: PostgresSessionStore;

/** More than one batch, as an older version left it: unsearchable. */
beforeEach(async () => {
  database = await createTestDatabase();
  store = new PostgresSessionStore(database.sql, owner);
  await store.sessions.create("Houses", { id: "s" });
  const session = store.messages("s");
  for (let n = 1; n <= 120; n++) await session.appendMessage(user(`m${n}`, `Die Häuser ${n}`));
  await session.addCompaction("Les maisons de la ville", "m1", "m5");
  await knowledge().set("city", "Die Häuser der Stadt");
  await database.sql`update chat_search set tsv = ''`;
  await database.sql`update chat_document set tsv = ''`;
});
afterEach(() => database.drop());

function knowledge(): PostgresSearchProvider {
  return new PostgresSearchProvider(database.sql, { ownerId: owner, label: "knowledge" });
}

async function found(line: string): Promise<string[]> {
  return (await store.sessions.search(line, { limit: 100 })).map(({ id }) => id).toSorted();
}

test("what another version of the analysis has left is found again", { tags: "long" }, async () => {
  await database.sql`update bookkeeping.word_analysis set version = 0`;
  await database.sql`insert into chat_word (owner_id, word) values (${owner}, 'hausr')`;
  await migrate(database.sql);
  expect(await found("hauses 1 ")).toEqual(["m1"]);
  expect(await found("hauses 120 ")).toEqual(["m120"]);
  expect(await found("maison ")).toEqual(["m5"]);
  expect(await knowledge().search("hauses ")).toBe("[city]\nDie Häuser der Stadt");
  expect(await database.sql`select word from chat_word`).toEqual([]);
  expect(await database.sql`select version, place, done from bookkeeping.word_analysis`).toEqual([
    { version: analysisVersion, place: null, done: true },
  ]);
});

test("words of this version are left as they are", { tags: "long" }, async () => {
  await migrate(database.sql);
  expect(await found("hauses 1 ")).toEqual([]);
});

test("an interrupted one goes on where it was", { tags: "long" }, async () => {
  await database.sql`
    update bookkeeping.word_analysis set done = false, place = (
      select json_build_array(owner_id, branch_id, pos, compaction_id) from chat_search
      where pos = 60 and compaction_id = 0
    )`;
  await migrate(database.sql);
  expect(await found("hauses 60 ")).toEqual([]);
  expect(await found("hauses 61 ")).toEqual(["m61"]);
});
