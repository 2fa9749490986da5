import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { clearing, leftClearings, openOwner } from "./clearing";
import { deleteEverything, ownedTables } from "./delete-rows";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("every table of owners refuses rows of one that is cleared, or hangs on such a table", async () => {
  const { sql } = database;
  const tables = await sql<{ name: string; guarded: boolean; parents: string[] }[]>`
    select
      owned.relname as name,
      exists (
        select from pg_trigger where tgrelid = owned.oid and tgname = 'chat_refuse_cleared'
      ) as guarded,
      array(
        select confrelid::regclass::text from pg_constraint where conrelid = owned.oid and contype = 'f'
      ) as parents
    from pg_class owned
    join pg_attribute owner on owner.attrelid = owned.oid and owner.attname = 'owner_id'
    where owned.relkind in ('r', 'p') and not owned.relispartition and owned.relname like 'chat\\_%'
    order by owned.relname`;
  const guarded = new Set(tables.filter((table) => table.guarded).map(({ name }) => name));
  for (let pass = 0; pass < tables.length; pass++)
    for (const { name, parents } of tables)
      if (parents.some((parent) => guarded.has(parent))) guarded.add(name);
  // An append writes its words while it holds the session, and the other is about clearings.
  const others = ["chat_clearing", "chat_search"];
  expect(tables.map(({ name }) => name).filter((name) => !guarded.has(name))).toEqual(others);
  const known: readonly string[] = ownedTables;
  expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([
    "chat_clearing",
    // Goes with its session.
    "chat_consent",
  ]);
});

test("a clearing waits for what was begun before it, and refuses what comes after", async () => {
  const { sql } = database;
  const insert = (id: string) =>
    sql`insert into chat_session (owner_id, session_id) values ('me', ${id})`;
  await insert("before");
  const slow = sql`
    with made as (insert into chat_session (owner_id, session_id) values ('me', 'slow') returning 1)
    select pg_sleep(0.3) from made`;
  const slowly = slow.then(() => "done");
  await sql`select pg_sleep(0.1)`;
  const refused: unknown[] = [];
  const deleted = await deleteEverything(sql, "me", async () => {
    for (const owner of ["me", "me\u001ftemporary"])
      refused.push(
        await sql`insert into chat_session (owner_id, session_id) values (${owner}, 'late')`.catch(
          ({ code }) => code,
        ),
      );
    await sql`insert into chat_session (owner_id, session_id) values ('me too', 'other')`;
  });
  await slowly;
  expect(deleted.sessionIds.toSorted()).toEqual(["before", "slow"]);
  expect(refused).toEqual(["GR013", "GR013"]);
  await insert("after");
});

test("meanwhile calls of projects are counted for the person, and no text of theirs is kept", async () => {
  const { sql } = database;
  const count = (id: string, space: string | null) => sql`
    insert into chat_usage (owner_id, usage_id, space_id, kind, session_id, model, input_tokens, output_tokens, reported)
    values ('payer', ${id}, ${space}, 'answer', '', 'm', 1, 1, true)`;
  await deleteEverything(sql, "payer", async () => {
    const refused = { code: "GR013" };
    await expect(count("own", null)).rejects.toMatchObject(refused);
    await expect(sql`
      insert into chat_personal_prompt (owner_id, part_id, space_id, session_id, prompt)
      values ('payer', 'part', 'p-1', 's', 'Memory')`).rejects.toMatchObject(refused);
    await count("p-1 call", "p-1");
  });
});

test("one caller clears an owner at a time, and a failure opens it again", async () => {
  const { sql } = database;
  const failing = deleteEverything(sql, "you", async () => {
    await expect(deleteEverything(sql, "you")).rejects.toMatchObject({ code: "GR013" });
    throw new Error("Something is being written.");
  });
  await expect(failing).rejects.toThrow("Something is being written.");
  await sql`insert into chat_session (owner_id, session_id) values ('you', 's')`;
  expect(await deleteEverything(sql, "you")).toEqual({ sessionIds: ["s"], isStopped: false });
});

test("a clearing whose process died is taken over after a minute", async () => {
  const { sql } = database;
  const clear = async () => undefined;
  await clearing(sql, { owner: "they", kind: "data", clear });
  const again = clearing(sql, { owner: "they", kind: "data", clear });
  await expect(again).rejects.toMatchObject({ code: "GR013" });
  await sql`update chat_clearing set renewed_at = now() - interval '61 s' where owner_id = 'they'`;
  await clearing(sql, { owner: "they", kind: "data", clear });
  await openOwner(sql, "they");
});

test("a stop of a deletion whose process died stops no later one", async () => {
  const { sql } = database;
  await sql`
    insert into chat_clearing (owner_id, kind, renewed_at, stop_requested)
    values ('them', 'data', now() - interval '2 minutes', true)`;
  expect(await leftClearings(sql, "data")).toEqual([{ owner: "them", isStopped: true }]);
  expect(await deleteEverything(sql, "them")).toMatchObject({ isStopped: false });
});
