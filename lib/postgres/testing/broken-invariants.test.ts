import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "../../session/testing";
import { ownConnection } from "../connections/own-connection";
import { fullOwner } from "../portable/testing/full-owner";
import { PostgresSessionStore } from "../postgres-session-store";
import { brokenInvariants } from "./broken-invariants";
import { createTestDatabase, type TestDatabase } from "./test-database";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const store = new PostgresSessionStore(database.sql, await fullOwner(database.sql));
  await store.messages("fork").setPinned("q1", true);
  await store.messages("fork").appendMessage(user("f2"), "q2");
  await store.sessions.fork("tea", "q3", "Borrows", { id: "borrower" });
  await store.messages("borrower").appendMessage(user("own"));
  // The damage below is what they would refuse.
  await database.sql`
    do $$
    declare
      _each record;
    begin
      for _each in
        select conrelid::regclass as place, conname from pg_constraint
        where contype in ('f', 'c') and conislocal and connamespace = 'public'::regnamespace
      loop
        execute format('alter table %s drop constraint %I', _each.place, _each.conname);
      end loop;
    end
    $$`;
});
afterAll(() => database.drop());

test("no row of an account contradicts another", async () => {
  expect(await brokenInvariants(database.sql)).toEqual([]);
});

test.each([
  ["A branch begins outside its parent.", "update chat_branch set base = base + 50"],
  [
    "A branch borrows unmarked, or is marked and does not.",
    "update chat_branch set seen_as_of = 1",
  ],
  ["A branch reaches no root.", "update chat_branch set parent_branch = branch_id"],
  ["A branch lacks messages.", "delete from chat_message where id = 'q2'"],
  ["A message lies outside its branch or session.", "update chat_message set pos = pos + 50"],
  ["A message is not younger than the one before it.", "update chat_message set ordinal = -pos"],
  ["Two messages of a session have one id.", "update chat_message set id = 'q1' where id = 'own'"],
  [
    "Two messages of a session have one place among their siblings.",
    "update chat_message set ordinal = 1",
  ],
  ["A message has a name and no bookmark.", "update chat_message set label = 'x', pinned = false"],
  ["A message is deleted by no deletion.", "delete from chat_deletion"],
  ["The active leaf is no message.", "update chat_session set active_pos = 99"],
  ["A session miscounts its messages.", "update chat_session set message_count = 99"],
  [
    "A session is behind its messages, branches, summaries or skills.",
    "update chat_session set touches = 0",
  ],
  ["A summary lies outside its branch or session.", "update chat_compaction set to_pos = 99"],
  [
    "A summary covers other messages than it names.",
    "update chat_compaction set from_pos = to_pos",
  ],
  [
    "A summary is stored twice.",
    "insert into chat_compaction select owner_id, compaction_id + 1000, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id, summary from chat_compaction",
  ],
  ["Words belong to no message or summary.", "update chat_search set pos = pos + 50"],
  ["A skill event belongs to no message.", "update chat_skill_event set pos = 99"],
  ["A text lacks versions, or differs from its newest.", "update chat_document set content = 'x'"],
  ["A text belongs to no block.", "update chat_block set block_id = label || '!'"],
])("names what is wrong: %s", async (problem, damage) => {
  const sql = ownConnection(database.sql);
  try {
    await sql`begin`;
    await sql.unsafe(damage);
    const problems = await brokenInvariants(sql);
    expect(problems.filter((each) => each.startsWith(problem))).not.toEqual([]);
  } finally {
    await sql.end({ timeout: 1 });
  }
});
