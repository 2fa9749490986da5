import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionMessage } from "../../session";
import { user } from "../../session/testing";
import { connect } from "../connect";
import type { Sql } from "../connections/sql";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

const tables = ["chat_session", "chat_branch", "chat_message", "chat_compaction", "chat_search%"];
const owner = "o1";
// More than the five executions after which Postgres may settle on a generic plan.
const repeats = 12;

let database: TestDatabase;
let sql: Sql;
const sent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, {
    max: 1,
    onnotice: () => undefined,
    debug: (_connection, query) => sent.push(query),
  });
  const patient = connect(database.url, { max: 1, deadlineMs: null });
  await seed(patient).finally(() => patient.end());
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/**
 * 20 owners with 20 sessions of 60 messages, each with a side branch and a summary, and 500 empty sessions, with
 * realistic vectors. Large enough that a sequential scan would be the wrong plan.
 */
async function seed(admin: Sql): Promise<void> {
  await admin`
    insert into chat_session (owner_id, session_id, title, message_count, touches)
    select 'o' || o, 's' || s, 'Session ' || s, 60, 60 from generate_series(1, 20) o, generate_series(1, 20) s`;
  await admin`
    insert into chat_branch (owner_id, session_id, base, head, touched)
    select owner_id, session_id, 0, 60, 60 from chat_session`;
  await admin`
    insert into chat_branch (owner_id, session_id, parent_branch, base, head, touched)
    select owner_id, session_id, branch_id, 30, 31, 30 from chat_branch where parent_branch is null`;
  await admin`
    insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content)
    select
      owner_id, branch_id, pos, session_id, 'm' || branch_id || '-' || pos, 'user', pos, 'text',
      '{"parts":[{"type":"text","text":"word' || pos || '"}]}'
    from chat_branch, generate_series(base + 1, head) pos`;
  await admin`
    insert into chat_search (owner_id, branch_id, pos, session_id, role, tsv)
    select
      owner_id, branch_id, pos, session_id, 'user',
      array_to_tsvector(array(select 'word' || pos || coalesce('-' || nullif(n, 0), '') from generate_series(0, 40) n))
    from chat_message`;
  await admin`
    insert into chat_compaction (
      owner_id, compaction_id, made_moment, branch_id, session_id, id, from_pos, to_pos, from_message_id,
      to_message_id, summary
    )
    select owner_id, 60, 60, branch_id, session_id, 'c' || branch_id, 5, 20, '', '', 'Summary'
    from chat_branch where parent_branch is null`;
  await admin`
    update chat_session session set active_branch = branch.branch_id from chat_branch branch
    where branch.owner_id = session.owner_id and branch.session_id = session.session_id and branch.parent_branch is null`;
  await admin`
    insert into chat_session (owner_id, session_id, title)
    select 'o' || o, 'empty' || s, 'Empty ' || s from generate_series(1, 20) o, generate_series(1, 500) s`;
  await admin`analyze`;
}

/** Number of sequential scans on these tables. */
async function sequentialScans(on: Sql): Promise<number> {
  await on`select pg_stat_force_next_flush()`;
  const [row] = await on<[{ scans: number }]>`
    select coalesce(sum(seq_scan), 0)::integer as scans
    from pg_stat_user_tables where relname like any (${tables})`;
  return row.scans;
}

async function rowsRead(on: Sql, table: string): Promise<number> {
  await on`select pg_stat_force_next_flush()`;
  const [row] = await on<[{ read: number }]>`
    select (idx_tup_fetch + seq_tup_read)::integer as read
    from pg_stat_user_tables where relname = ${table}`;
  return row.read;
}

const store = () => new PostgresSessionStore(sql, owner);
let appended = 0;
const list: SessionMessage[] = [];

const hotStatements: Record<string, () => Promise<unknown>> = {
  "appending to the active leaf": () =>
    store()
      .messages("s3")
      .appendMessage(user(`new${++appended}`)),
  "appending a chain": () =>
    store()
      .messages("s11")
      .appendMessages([user(`new${++appended}`), user(`new${++appended}`)]),
  "following a list": () => {
    list.push({ ...user(`new${++appended}`) });
    return store().messages("s12").follow(list.slice(-3));
  },
  "stepping back": () => store().messages("s13").stepBack(2),
  "reading a window": () => store().messages("s4").getWindow({ limit: 50 }),
  "reading a history": () => store().messages("s5").getHistory(),
  "looking up a message": () => store().messages("s6").getMessage("unknown"),
  "reading the newest leaf": () => store().messages("s7").getLatestLeaf(),
  "searching a session": () => store().messages("s8").searchMessages("word7"),
  "searching all sessions": () => store().sessions.search("word9"),
  forking: async () => {
    const leaf = await store().messages("s9").getLatestLeaf();
    return store().sessions.fork("s9", leaf?.id ?? "", "Fork");
  },
};

describe("hot statements", () => {
  for (const [name, run] of Object.entries(hotStatements)) {
    test(`${name} reads no table from end to end, not even after many times`, async () => {
      await run();
      const before = await sequentialScans(sql);
      for (let turn = 0; turn < repeats; turn++) await run();
      expect(await sequentialScans(sql)).toBe(before);
    });
  }

  test("keep to their indexes when they were first planned on nearly empty tables", {
    tags: "long",
  }, async () => {
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    const one = connect(fresh.url, { max: 1 });
    onTestFinished(() => one.end());
    const store = new PostgresSessionStore(one, owner);
    const { id } = await store.sessions.create("New");
    const messages = store.messages(id);
    const work = async (name: string) => {
      await messages.appendMessage(user(name));
      await Promise.all([`${name}a`, `${name}b`].map((each) => messages.appendMessage(user(each))));
      await messages.getWindow({ limit: 50 });
      await messages.follow([user(name), user(`${name}c`)]);
      await messages.stepBack(1);
      await messages.appendMessages([user(`${name}d`), user(`${name}e`)]);
      await store.sessions.fork(id, name, "Fork");
    };
    await work("only");
    await one`analyze`;
    for (let n = 0; n < repeats; n++) await work(`first${n}`);
    const before = await sequentialScans(one);
    for (let n = 0; n < repeats; n++) await work(`then${n}`);
    expect(await sequentialScans(one)).toBe(before);
  });

  test("the copy of what a fork borrows reads each message a few times, before there are statistics", {
    tags: "long",
  }, async () => {
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    const one = connect(fresh.url, { max: 1 });
    onTestFinished(() => one.end());
    const store = new PostgresSessionStore(one, owner);
    const { id } = await store.sessions.create("Lender");
    const ids = Array.from({ length: 1_000 }, (_, n) => `m${n}`);
    await store.messages(id).appendMessages(ids.map((each) => user(each)));
    const fork = await store.sessions.fork(id, "m999", "Fork");
    const before = await rowsRead(one, "chat_message");
    await store.messages(fork.id).updateMessage(user("m3", "Changed"));
    expect((await rowsRead(one, "chat_message")) - before).toBeLessThan(20_000);
  });

  test("listing sessions reads as many rows as it shows, of 10,000", { tags: "long" }, async () => {
    const many = "many";
    await database.sql`
      insert into chat_session (owner_id, session_id, updated_at, pinned_at, archived_at)
      select
        ${many}, 's' || n, now() - n * interval '7 minutes', case when n % 1000 = 0 then now() end,
        case when n % 3 = 0 then now() end
      from generate_series(1, 10000) n`;
    await database.sql`vacuum analyze chat_session`;
    const read = () => rowsRead(sql, "chat_session");
    const { sessions } = new PostgresSessionStore(sql, many);
    const before = await read();
    const page = await sessions.list({ limit: 50 });
    expect(page.sessions).toHaveLength(50);
    expect((await read()) - before).toBeLessThan(500);
  });

  test("listing one's own sessions, or a program's, skips 20,000 of other programs", {
    tags: "long",
  }, async () => {
    const mixed = "mixed";
    await database.sql`
      insert into chat_session (owner_id, session_id, updated_at, metadata)
      select
        ${mixed}, 's' || n, now() - n * interval '3 minutes',
        case
          when n > 19900 then '{}'::jsonb
          else jsonb_build_object('program', jsonb_build_object('keyId', case when n > 19800 then 'few' else 'many' end))
        end
      from generate_series(1, 20000) n`;
    await database.sql`vacuum analyze chat_session`;
    const read = () => rowsRead(sql, "chat_session");
    const { sessions } = new PostgresSessionStore(sql, mixed);
    for (const program of [null, "few"]) {
      const before = await read();
      const page = await sessions.list({ limit: 50, program });
      expect(page.sessions).toHaveLength(50);
      expect((await read()) - before).toBeLessThan(500);
    }
  });

  const statements: [string, number, () => Promise<unknown>][] = [
    [
      "appending",
      1,
      () =>
        store()
          .messages("s3")
          .appendMessage(user(`one${++appended}`)),
    ],
    ["a window with its alternatives", 1, () => store().messages("s4").getWindow({ limit: 50 })],
    ["a history", 1, () => store().messages("s5").getHistory()],
    [
      "appending a chain",
      1,
      () =>
        store()
          .messages("s3")
          .appendMessages([user(`one${++appended}`), user(`one${++appended}`)]),
    ],
    ["stepping back", 1, () => store().messages("s14").stepBack(1)],
    ["deleting", 1, () => store().messages("s10").deleteMessages(["unknown"])],
    ["a search that finds something", 1, () => store().sessions.search("word9")],
    ["the tree", 2, () => store().messages("s5").getTree()],
  ];
  for (const [name, count, run] of statements) {
    test(`${name} takes ${count === 1 ? "one statement" : `${count} statements`}`, async () => {
      await run();
      sent.length = 0;
      await run();
      expect(sent).toHaveLength(count);
    });
  }
});
