import { expect, onTestFinished, test } from "vitest";
import { user } from "../../session/testing";
import { identifier, type Sql } from "../connections/sql";
import { migrate } from "../migrate";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase } from "../testing/test-database";
import { withVersion } from "../testing/version-folder";

const guide = { label: "skills", key: "guide" };
const section = {
  sessionId: null,
  scope: "owner",
  description: "",
  maxTokens: null,
  kind: "writable",
  writers: "both",
} as const;
const proposal = {
  sessionId: null,
  messageId: null,
  program: null,
  key: null,
  title: null,
  description: null,
  action: "replace",
  content: "Text",
  baseVersion: null,
} as const;

async function databaseWith(options?: { migrated: boolean }): Promise<Sql> {
  const database = await createTestDatabase(options);
  onTestFinished(() => database.drop());
  return database.sql;
}

/** Copies rows as a logical copy does: without the state of sequences, except for that of ids. */
async function copyRows(from: Sql, to: Sql): Promise<void> {
  for (const table of [
    "chat_session",
    "chat_branch",
    "chat_message",
    "chat_search",
    "chat_compaction",
    "chat_skill_event",
    "chat_block",
    "chat_proposal",
    "chat_owner",
    "chat_word",
  ]) {
    const [row] = await from<{ rows: string }[]>`
      select coalesce(json_agg(copied), '[]')::text as rows from ${identifier(table)} copied`;
    const columns = await from<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_name = ${table} and is_generated = 'NEVER' and table_schema = 'public'`;
    const list = columns.map(({ name }) => `"${name}"`).join(", ");
    await to.unsafe(
      `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1::text::json)`,
      [row?.rows ?? "[]"],
    );
  }
  await to`select setval('chat_branch_id', (select max(branch_id) from chat_branch))`;
}

async function stateOf(store: PostgresSessionStore, session: string) {
  const messages = store.messages(session);
  return {
    path: (await messages.getHistory()).flatMap(({ parts }) => parts.map(({ text }) => text)),
    skills: (await messages.getLoadedSkills()).map(({ key }) => key),
  };
}

test("rows of another database are older than those that are written where they were copied to", {
  tags: "long",
}, async () => {
  const from = await databaseWith();
  const before = new PostgresSessionStore(from, "ada");
  await before.sessions.create("Tea", { id: "tea" });
  const tea = before.messages("tea");
  for (const id of ["q1", "q2", "q3"]) await tea.appendMessage(user(id, "Question"));
  await tea.recordSkillEvent(guide, "load");
  for (const summary of ["Poor", "Better", "Old"]) await tea.addCompaction(summary, "q1", "q2");
  for (const label of ["z", "y"]) await before.blocks.create({ ...section, id: label, label });
  for (const id of ["z", "y"]) await before.proposals.add({ ...proposal, id, blockId: "z" });
  expect(await before.sessions.search("quesiton", { forgiving: true })).toHaveLength(3);

  const sql = await databaseWith();
  await copyRows(from, sql);
  const store = new PostgresSessionStore(sql, "ada");
  await store.sessions.fork("tea", "q3", "Fork", { id: "fork" });
  await store.messages("tea").recordSkillEvent(guide, "unload");
  await store.messages("tea").addCompaction("New", "q1", "q2");
  expect(await stateOf(store, "fork")).toEqual({ path: ["Old", "Question"], skills: ["guide"] });
  expect(await stateOf(store, "tea")).toEqual({ path: ["New", "Question"], skills: [] });

  await store.blocks.create({ ...section, id: "x", label: "x" });
  expect((await store.blocks.list(null)).map(({ id }) => id)).toEqual(["z", "y", "x"]);
  await store.proposals.add({ ...proposal, id: "x", blockId: "z" });
  expect((await store.proposals.list()).map(({ id }) => id)).toEqual(["x", "y", "z"]);

  await store.messages("tea").appendMessage(user("q4", "Question"));
  await store.messages("tea").appendMessage(user("q5", "A saucer?"));
  const hits = await store.sessions.search("question", { limit: 9 });
  expect(hits.map(({ id }) => id)).toEqual(["q4", "q3", "q2", "q1"]);
  expect(await store.sessions.search("sacuer", { forgiving: true })).toHaveLength(1);
});

test("a database of 0.2.0 keeps its order, and goes on after it", { tags: "long" }, async () => {
  const sql = await databaseWith({ migrated: false });
  await withVersion({ count: 6 }, (root) => migrate(sql, { root }));
  await sql.unsafe(`
    insert into chat_session (owner_id, session_id, touches, message_count, parent_session_id, forked_at_message_id)
    values ('ada', 'tea', 3, 3, null, null), ('ada', 'fork', 4, 3, 'tea', 'q3');
    insert into chat_branch (owner_id, branch_id, session_id, parent_branch, base, head, touched, seen_as_of)
    overriding system value
    values ('ada', 1, 'tea', null, 0, 3, 3, null), ('ada', 2, 'fork', 1, 3, 3, 4, 40);
    select setval('chat_branch_id', 2);
    update chat_session set active_branch = case session_id when 'tea' then 1 else 2 end;
    insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
    select 'ada', 1, n, 'tea', 'q' || n, 'user', n, 'Question', '{"parts":[{"type":"text","text":"Question"}]}'
    from generate_series(1, 3) n;
    insert into chat_compaction (
      owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id, to_message_id,
      summary
    )
    values
      ('ada', 20, 20, 1, 'tea', 'c1', 1, 2, 'q1', 'q2', 'Old'),
      ('ada', 50, 50, 1, 'tea', 'c2', 1, 2, 'q1', 'q2', 'Newer than the fork');
    insert into chat_skill_event (owner_id, event_id, branch_id, pos, session_id, label, key, action, noted)
    values ('ada', 30, 1, 3, 'tea', 'skills', 'guide', 'load', true);
    select setval('chat_moment', 60);
  `);
  await migrate(sql);
  const store = new PostgresSessionStore(sql, "ada");
  expect(await stateOf(store, "tea")).toEqual({
    path: ["Newer than the fork", "Question"],
    skills: ["guide"],
  });
  const forked = { path: ["Old", "Question"], skills: ["guide"] };
  expect(await stateOf(store, "fork")).toEqual(forked);

  await store.messages("tea").recordSkillEvent(guide, "unload");
  await store.messages("tea").addCompaction("Newest", "q1", "q2");
  expect(await stateOf(store, "tea")).toEqual({ path: ["Newest", "Question"], skills: [] });
  expect(await stateOf(store, "fork")).toEqual(forked);
  await store.sessions.fork("tea", "q3", "Second", { id: "second" });
  expect(await stateOf(store, "second")).toEqual({ path: ["Newest", "Question"], skills: [] });
});
