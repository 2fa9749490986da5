import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "./connect";
import { PostgresDeletions } from "./deletions";
import { migrate } from "./migrate";
import { MigrationError } from "./migration-error";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterEach(() => database.drop());

const schemaOf = async () => {
  const { sql } = database;
  const columns = await sql`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema in ('public', 'drizzle', 'bookkeeping') order by 1, 2`;
  const functions = await sql`select proname from pg_proc where proname like 'chat_%' order by 1`;
  return [...columns, ...functions];
};

/** Another version of Grove with more migrations, each named and in this order. */
async function version(...migrations: { tag: string; when: number; text: string }[]) {
  const root = await mkdtemp(join(tmpdir(), "grove-version-"));
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  await cp("lib/postgres", join(root, "lib/postgres"), {
    recursive: true,
    filter: (path) => !/\.tsx?$/.test(path),
  });
  const journalPath = join(root, "drizzle/meta/_journal.json");
  const journal = JSON.parse(await readFile(journalPath, "utf8")) as { entries: object[] };
  for (const { tag, when, text } of migrations) {
    const idx = journal.entries.length;
    journal.entries.push({ idx, version: "7", when, tag, breakpoints: true });
    await writeFile(join(root, `drizzle/${tag}.sql`), text);
  }
  await writeFile(journalPath, JSON.stringify(journal));
  return root;
}

async function refusal(act: Promise<void>): Promise<string> {
  const error: unknown = await act.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(MigrationError);
  return (error as MigrationError).message;
}

/** The first version of Grove's tables. */
async function firstVersion(): Promise<string> {
  const root = await version();
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { entries: object[] };
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }));
  return root;
}

const later = Date.UTC(2100, 0);

describe("migrate", () => {
  test("writes nothing when there is nothing to change, so that a full disk can be read", async () => {
    await migrate(database.sql);
    const full = connect(database.url, { connection: { default_transaction_read_only: true } });
    await migrate(full);
    expect(await full`select count(*)::int as count from chat_session`).toEqual([{ count: 0 }]);
    await full.end();
  });

  test("lists what was deleted before deletions had an end, from now on", async () => {
    const { sql } = database;
    const root = await firstVersion();
    await migrate(sql, { root });
    await sql`insert into chat_session (owner_id, session_id, title, deleted_at) values ('o', 's', 'Tea', '2001-01-01')`;
    await sql`insert into chat_session (owner_id, session_id) values ('o', 'live')`;
    await sql`insert into chat_block (owner_id, block_id, label, kind, scope, writers, origin, deleted_at)
      values ('o', 'b', 'recipes', 'writable', 'owner', 'both', 'person', '2001-01-01')`;
    await sql`insert into chat_block (owner_id, block_id, label, kind, scope, writers, origin)
      values ('o', 'k', 'knowledge', 'searchable', 'owner', 'both', 'app')`;
    await sql`insert into chat_document (owner_id, block_id, session_id, key, version, title, content)
      values ('o', 'k', '', 'tea', 2, 'Tea', null)`;
    await sql`insert into chat_branch (owner_id, branch_id, session_id, base, head) values ('o', 1, 'live', 0, 1)`;
    await sql`insert into chat_deletion (owner_id, deletion_id, session_id) values ('o', 'd', 'live')`;
    await sql`insert into chat_message (owner_id, branch_id, pos, session_id, id, role, ordinal, preview, content, deletion_id)
      values ('o', 1, 1, 'live', 'm', 'user', 1, 'Hello', '{"parts":[]}', 'd')`;
    await migrate(sql);
    const deletions = await new PostgresDeletions(sql, "o").list({ limit: 10 });
    expect(deletions.map(({ kind, title }) => [kind, title]).toSorted()).toEqual([
      ["block", ""],
      ["entry", "Tea"],
      ["messages", "Hello"],
      ["session", "Tea"],
    ]);
    for (const { deletedAt } of deletions)
      expect(Date.now() - deletedAt.getTime()).toBeLessThan(60 * 60 * 1_000);
    await rm(root, { recursive: true });
  });

  test("makes a fresh database ready, and leaves a ready one as it is", async () => {
    await migrate(database.sql);
    const made = await schemaOf();
    expect(made.length).toBeGreaterThan(100);
    const before = await database.sql`select xmin::text, * from bookkeeping.applied_functions`;
    await migrate(database.sql);
    expect(await schemaOf()).toEqual(made);
    expect(await database.sql`select xmin::text, * from bookkeeping.applied_functions`).toEqual(
      before,
    );
  });

  test("leaves the pool's own types alone", async () => {
    await migrate(database.sql);
    const read = () => database.sql`
      select '2026-01-02T03:04:05Z'::timestamptz as at, 9007199254740991 as big, array['a'] as list, ${new Date(0)}::timestamptz as sent`;
    const expected = [
      {
        at: new Date("2026-01-02T03:04:05Z"),
        big: 9007199254740991,
        list: ["a"],
        sent: new Date(0),
      },
    ];
    // On every connection of the pool, including the migration's.
    for (const rows of await Promise.all(Array.from({ length: 12 }, read)))
      expect([...rows]).toEqual(expected);
  });

  test("works when five servers start at once", async () => {
    const pools = [1, 2, 3, 4, 5].map(() =>
      connect(database.url, { max: 3, onnotice: () => undefined }),
    );
    await Promise.all(pools.map((pool) => migrate(pool)));
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    const [applied] =
      await database.sql`select count(*)::integer from drizzle.__drizzle_migrations`;
    const journal = JSON.parse(await readFile("drizzle/meta/_journal.json", "utf8"));
    expect(applied).toEqual({ count: journal.entries.length });
  });

  test("refuses a database that a newer version has changed, and touches nothing", async () => {
    const root = await version({
      tag: "9999_next",
      when: later,
      text: "create table newer (id integer);",
    });
    await migrate(database.sql, { root });
    const before = await schemaOf();
    expect(await refusal(migrate(database.sql))).toMatch(/newer version of Grove/);
    expect(await schemaOf()).toEqual(before);
    await rm(root, { recursive: true });
  });

  test("refuses a database of the version before, says how to move what is in it, and touches nothing", async () => {
    const tables = await readFile("lib/postgres/testing/previous-version.sql", "utf8");
    await database.sql.unsafe(tables).simple();
    await database.sql`insert into chat_session (owner_id, session_id) values ('local', 's')`;
    const before = await schemaOf();
    const sentence = await refusal(migrate(database.sql));
    expect(sentence).toMatch(/earlier version of Grove.*Export.*empty database.*Import/);
    expect(await schemaOf()).toEqual(before);
    expect(await database.sql`select session_id from chat_session`).toHaveLength(1);
  });

  test("applies a migration that is dated before ones already applied", async () => {
    await migrate(database.sql);
    const root = await version({
      tag: "9999_dated",
      when: 1,
      text: "create table dated (id int);",
    });
    await migrate(database.sql, { root });
    expect(await database.sql`select * from dated`).toEqual([]);
    await rm(root, { recursive: true });
  });

  test("refuses to go on without a migration that belongs before one already applied", async () => {
    const next = { tag: "9999_next", when: later, text: "create table next (id integer);" };
    const late = { tag: "9998_late", when: later, text: "create table late (id integer);" };
    const one = await version(next);
    const two = await version(late, next);
    await migrate(database.sql, { root: one });
    expect(await refusal(migrate(database.sql, { root: two }))).toMatch(
      /1 migration\(s\) were skipped/,
    );
    await Promise.all([one, two].map((root) => rm(root, { recursive: true })));
  });

  test("asks for a backup once before it changes existing tables, and changes nothing without one", async () => {
    const asked: string[] = [];
    const beforeUpgrade = async () => void asked.push("backup");
    await migrate(database.sql, { beforeUpgrade });
    const root = await version({
      tag: "9999_next",
      when: later,
      text: "create table next (id int);",
    });
    const before = await schemaOf();
    const noSpace = async () => {
      throw new MigrationError("The disk is full.");
    };
    expect(await refusal(migrate(database.sql, { root, beforeUpgrade: noSpace }))).toBe(
      "The disk is full.",
    );
    expect(await schemaOf()).toEqual(before);
    const pools = [1, 2, 3].map(() => connect(database.url, { max: 2 }));
    await Promise.all(pools.map((pool) => migrate(pool, { root, beforeUpgrade })));
    await migrate(database.sql, { root, beforeUpgrade });
    expect(asked).toEqual(["backup"]);
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    await rm(root, { recursive: true });
  });

  test("says why a migration cannot run, keeps none of it, and can be tried again", async () => {
    await migrate(database.sql);
    const before = await schemaOf();
    const text =
      "create table half (id integer);\n--> statement-breakpoint\nselect no_such_thing();";
    const root = await version({ tag: "9999_next", when: later, text });
    expect(await refusal(migrate(database.sql, { root }))).toMatch(/could not run/);
    expect(await schemaOf()).toEqual(before);
    await migrate(database.sql);
    await rm(root, { recursive: true });
  });

  test("holds no lock when it has failed", async () => {
    const root = await version({ tag: "9999_next", when: later, text: "select no_such_thing();" });
    await refusal(migrate(database.sql, { root }));
    expect(
      await database.sql`
      select 1 from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
    await rm(root, { recursive: true });
  });
});
