import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Sql } from "./connections/sql";
import { migrate } from "./migrate";
import { readMigrations, recordedHashes } from "./migrations";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { withVersion } from "./testing/version-folder";

/** Those of 0.2.0, which knew one list. */
const releasedCount = 6;

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterEach(() => database.drop());

async function makeReleased(sql: Sql): Promise<void> {
  await withVersion({ count: releasedCount }, (root) => migrate(sql, { root }));
  await sql`alter table drizzle.__drizzle_migrations drop column list`;
  await sql`
    insert into chat_session (owner_id, session_id, title, metadata)
    values ('ada', 's', 'Tea', '{"kept": true}')`;
  await sql`
    insert into chat_run (owner_id, run_id, session_id, message_id, parent_id, model, status, lease_until)
    values ('ada', 'r', 's', 'a', 'q', 'test/model', 'complete', '2026-11-25')`;
}

async function columnsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ column: string }[]>`
    select concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) as column
    from information_schema.columns
    where table_schema in ('public', 'bookkeeping', 'drizzle')
    order by 1`;
  return rows.map(({ column }) => column);
}

describe("the migrations of the library and those of the app", () => {
  test("upgrade a database of 0.2.0 to what a new one is, and keep its rows", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    await makeReleased(sql);
    const rows = () => sql`
      select to_jsonb(session) as session, to_jsonb(run) as run
      from chat_session session join chat_run run using (owner_id, session_id)`;
    const before = await rows();
    await migrate(sql);
    expect(await rows()).toMatchObject(before);
    const fresh = await createTestDatabase();
    expect(await columnsOf(sql)).toEqual(await columnsOf(fresh.sql));
    await fresh.drop();
  });

  test("are recorded in one order, each once", { tags: "long" }, async () => {
    const { sql } = database;
    await makeReleased(sql);
    await migrate(sql);
    await migrate(sql);
    const known = await readMigrations(process.cwd());
    const replaced = known.flatMap(({ replaces }) => replaces);
    const recorded = await recordedHashes(sql, known);
    expect(recorded).toEqual([...replaced, ...known.map(({ hash }) => hash)]);
    expect(new Set(known.map(({ list }) => list))).toEqual(new Set(["library", "application"]));
    expect(known).toEqual(known.toSorted((one, other) => one.when - other.when));
  });

  test("leave the app's out where the library runs alone, until the app adds them", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    const requests = () => sql`select to_regclass('chat_request')::text as name`;
    await withVersion({ isAlone: true }, (root) => migrate(sql, { root }));
    expect(await requests()).toEqual([{ name: null }]);
    await migrate(sql);
    expect(await requests()).toEqual([{ name: "chat_request" }]);
  });

  test("of the app stop no library that runs alone on its database, and those of a newer library do", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    await migrate(sql);
    const before = await columnsOf(sql);
    await withVersion({ isAlone: true }, (root) => migrate(sql, { root }));
    expect(await columnsOf(sql)).toEqual(before);
    const next = { tag: "9999_next", text: "create table next (id integer);" };
    await withVersion({ isAlone: true, added: [next] }, (root) => migrate(sql, { root }));
    await expect(withVersion({ isAlone: true }, (root) => migrate(sql, { root }))).rejects.toThrow(
      /newer version of Grove/,
    );
    await expect(migrate(sql)).rejects.toThrow(/newer version of Grove/);
  });
});
