import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "../../session/testing";
import { connect } from "../connect";
import type { Sql } from "../connections/sql";
import { removeExpiredSessions } from "../deletions";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

let database: TestDatabase;
/** Holds row locks. */
let other: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  other = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

test("expired sessions of a namespace are removed for good unless an answer is being written", async () => {
  const store = newStore();
  const temporary = store.namespace("temporary");
  for (const [place, id] of [
    [temporary, "ended"],
    [temporary, "running"],
    [temporary, "waiting"],
    [store, "elsewhere"],
  ] as const) {
    const expiresAfterMs = id === "waiting" ? 60_000 : 1;
    await place.sessions.create(id, { id, expiresAfterMs: 60_000 });
    await place.messages(id).appendMessage(user("q1"));
    await place.sessions.update(id, { expiresAfterMs });
  }
  const { sql } = database;
  await sql`
    insert into chat_run (owner_id, run_id, kind, session_id, message_id, parent_id, model, status, lease_until)
    values (${temporary.ownerId}, 'run', 'answer', 'running', 'a1', 'q1', 'm', 'running', now())`;
  await sql`select pg_sleep(0.01)`;
  await removeExpiredSessions(sql, { ownerEnd: "\u001ftemporary", most: 1_000 });
  const left = await sql<{ session_id: string }[]>`
    select session_id from chat_session where starts_with(owner_id, ${store.ownerId}) order by session_id`;
  expect(left.map((row) => row.session_id)).toEqual(["elsewhere", "running", "waiting"]);
});

test("a purge names exactly the sessions it removed, whatever is restored meanwhile", async () => {
  const store = newStore();
  const { sessions, ownerId } = store;
  for (const id of ["a", "b"]) {
    await sessions.create(id, { id });
    await store.messages(id).appendMessage(user("q1"));
    await sessions.delete(id);
  }
  await other`begin`;
  await other`select from chat_message where owner_id = ${ownerId} and session_id = 'a' for update`;
  const purging = sessions.purge(0);
  await ended(purging, 1);
  const restoring = sessions.restore("b").catch((error: unknown) => error);
  await ended(restoring, 2);
  await other`rollback`;
  const [purged] = await Promise.all([purging, restoring]);
  expect(purged.includes("a")).toBe(true);
  expect(purged.includes("b")).toBe((await sessions.get("b")) === null);
});

test("the copy that a fork makes of a message has no words of those deleted before", async () => {
  const store = newStore();
  await store.sessions.create("Tea", { id: "tea" });
  const messages = store.messages("tea");
  for (const id of ["q1", "q2"]) await messages.appendMessage(user(id, `Oolong ${id}`));
  await messages.recordSkillEvent({ label: "skills", key: "brew" }, "load");
  await messages.appendMessage(user("q3"));
  await messages.deleteMessages(["q1", "q2"]);
  await store.sessions.fork("tea", "q3", "Fork", { id: "fork" });
  await store.messages("fork").setPinned("q3", true);
  const rows = await database.sql`
    select pos from chat_search where owner_id = ${store.ownerId} and session_id = 'fork'
    union all
    select pos from chat_skill_event where owner_id = ${store.ownerId} and session_id = 'fork'`;
  expect(rows.map(({ pos }) => pos)).toEqual([3]);
});

test("a permanent deletion answers true only for a session that is gone", async () => {
  const { sessions, ownerId } = newStore();
  await sessions.create("Parent", { id: "parent" });
  await sessions.create("Child", { id: "child", parentSessionId: "parent" });
  await other`begin`;
  await other`select from chat_session where owner_id = ${ownerId} and session_id = 'child' for update`;
  const deleting = sessions.delete("parent", { permanently: true });
  await ended(deleting, 1);
  const restoring = sessions.restore("parent").catch((error: unknown) => error);
  await ended(restoring, 2);
  await other`rollback`;
  const [isDeleted] = await Promise.all([deleting, restoring]);
  expect(isDeleted).toBe((await sessions.get("parent")) === null);
});

function newStore(): PostgresSessionStore {
  return new PostgresSessionStore(database.sql, crypto.randomUUID());
}

/** Until a statement has ended, or `waiting` statements wait for row locks. */
async function ended(statement: Promise<unknown>, waiting: number): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  void statement.then(end, end);
  while (!isOver) {
    const rows = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (rows.length >= waiting) return;
  }
}
