import { glob, readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { shippedSql } from "./migrate";
import { distributedForms, type RefusedForm, volatilitiesIn } from "./testing/distributed-forms";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

/** One that is refused for each form, and beside it the way that Citus takes. */
const examples: Readonly<Record<RefusedForm, readonly { bad: string; good: string }[]>> = {
  "a generic plan forced on a function": [
    {
      bad: "create function f(_owner text) returns int language plpgsql set plan_cache_mode = force_generic_plan as $$ begin return 1; end $$",
      good: "create function f(_owner text) returns int language plpgsql set plan_cache_mode = force_custom_plan as $$ begin return 1; end $$",
    },
  ],
  "a function in SQL with parameters that reads a table": [
    {
      bad: "create function f(_owner text) returns bigint language sql as $$ select count(*) from chat_run where owner_id = _owner $$",
      good: "create function f(_owner text) returns bigint language plpgsql as $$ begin return (select count(*) from chat_run where owner_id = _owner); end $$",
    },
    {
      bad: "create function f(_owner text) returns void language sql as $$ delete from chat_run where owner_id = _owner $$",
      good: "create function f(_owner text) returns bigint language sql as $$ select hashtextextended(_owner, 0) $$",
    },
  ],
  "an interval added to a column in a write": [
    {
      bad: "update chat_session set expires_at = now() + expires_after_ms * interval '1 ms' where owner_id = $1",
      good: "update chat_session set expires_at = to_timestamp(extract(epoch from now()) + expires_after_ms / 1000.0) where owner_id = $1",
    },
    {
      bad: "delete from chat_file where owner_id = $1 and touched_at + interval '1 day' < now()",
      good: "delete from chat_file where owner_id = $1 and touched_at < now() - interval '1 day'",
    },
  ],
  "nextval in an update": [
    {
      bad: "update chat_branch set touched = nextval('chat_branch_id') where owner_id = $1",
      good: "update chat_branch set touched = $2 where owner_id = $1",
    },
  ],
  "the time in an upsert": [
    {
      bad: "insert into chat_file (owner_id) values ($1) on conflict (owner_id) do update set touched_at = now()",
      good: "insert into chat_file (owner_id) values ($1) on conflict (owner_id) do update set touched_at = excluded.touched_at",
    },
    {
      bad: "insert into chat_file as known (owner_id) values ($1) on conflict (owner_id) do update set size = 1 where known.touched_at < current_timestamp",
      good: "insert into chat_file as known (owner_id) values ($1) on conflict (owner_id) do update set size = 1 where known.touched_at < $2",
    },
  ],
  "coalesce or case over a changing function in an update": [
    {
      bad: "update chat_session set deleted_at = coalesce(deleted_at, now()) where owner_id = $1",
      good: "update chat_session set deleted_at = least(deleted_at, now()) where owner_id = $1",
    },
    {
      bad: "update chat_session set deleted_at = case when source is null then now() end where owner_id = $1",
      good: "update chat_session set title = case when source is null then $2 else title end where owner_id = $1",
    },
  ],
  "a changing function of a column in the condition of a write": [
    {
      bad: "update chat_run set fence = 2 where owner_id = $1 and lease_until::text = $2",
      good: "update chat_run set fence = 2 where owner_id = $1 and lease_until = $2::timestamptz",
    },
    {
      bad: "delete from chat_session where owner_id = $1 and chat_open(owner_id, session_id)",
      good: "delete from chat_session where owner_id = $1 and chat_open($1, $2)",
    },
  ],
  "a lock without an owner": [
    {
      bad: "select run_id from chat_run where lease_until < now() for update skip locked",
      good: "select run_id from chat_run where owner_id = $1 and lease_until < now() for update skip locked",
    },
    {
      bad: "select from chat_run run join chat_session session on session.owner_id = run.owner_id for update",
      good: "select from account_user where id = $1 for update",
    },
  ],
  "a value of a query in the condition of an insert": [
    {
      bad: "insert into chat_word select owner_id from chat_search search where owner_id = $1 and (select true from chat_message message where message.pos = search.pos)",
      good: "insert into chat_word select owner_id from chat_search search where owner_id = $1 and exists (select from chat_message message where message.owner_id = search.owner_id and message.pos = search.pos)",
    },
  ],
  "nextval beside a table": [
    {
      bad: "select branch_id, nextval('chat_branch_id') from chat_branch where owner_id = $1",
      good: "select nextval('chat_branch_id') from generate_series(1, $1)",
    },
  ],
  "nextval in an insert": [
    {
      bad: "insert into chat_branch (owner_id, branch_id) select $1, nextval('chat_branch_id')",
      good: "insert into chat_branch (owner_id) values ($1) returning branch_id",
    },
  ],
  "an order that begins with a sequence": [
    {
      bad: "select from chat_branch where owner_id = $1 order by branch_id desc",
      good: "select from chat_branch where owner_id = $1 order by touched desc, branch_id desc",
    },
    {
      bad: "select array_agg(session_id order by branch_id) from chat_branch where owner_id = $1",
      good: "select from chat_message where owner_id = $1 order by branch_id, pos",
    },
  ],
};

let database: TestDatabase;
let refusals: Awaited<ReturnType<typeof distributedForms>>["refusals"];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ refusals } = await distributedForms(await volatilitiesIn(database.sql)));
  return () => database.drop();
});

describe("the reader of statements", () => {
  const cases = Object.entries(examples).flatMap(([form, each]) =>
    each.map(({ bad, good }) => ({ form, bad, good })),
  );
  test.for(cases)("refuses $form: $bad", ({ form, bad, good }) => {
    expect(refusals(bad)).toContainEqual(expect.objectContaining({ form }));
    expect(refusals(good)).toEqual([]);
  });

  test("reads the statements of a function's body", () => {
    const body =
      "begin if true then update chat_run set started_at = coalesce(started_at, now()) where owner_id = _owner; end if; end";
    const found = refusals(
      `create function f(_owner text) returns void language plpgsql as $$ ${body} $$`,
    );
    expect(found.map(({ form }) => form)).toEqual([
      "coalesce or case over a changing function in an update",
    ]);
  });
});

test("no function has a form that a distributed database refuses", async () => {
  const files = await Array.fromAsync(glob("lib/{postgres,storage}/*/[0-9][0-9]-*.sql"));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = await readFile(file, "utf8");
    expect(refusals(shippedSql(text, { isDistributed: true })), file).toEqual([]);
  }
});

test("one column of the data counts up across owners, and it only names branches", async () => {
  const rows = await database.sql`
    select table_name || '.' || column_name as column
    from information_schema.columns
    where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')
    order by 1`;
  expect(rows.map(({ column }) => column)).toEqual(["account_event.id", "chat_branch.branch_id"]);
});
