import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "./connect";
import { migrate } from "./migrate";
import { MigrationError } from "./migration-error";
import { appliedHashes, readMigrations } from "./migrations";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { withVersion } from "./testing/version-folder";

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

async function refusal(act: Promise<void>): Promise<string> {
  const error: unknown = await act.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(MigrationError);
  return (error as MigrationError).message;
}

const next = { tag: "9999_next", text: "create table next (id integer);" };

describe("migrate", () => {
  test("writes nothing when there is nothing to change, so that a full disk can be read", {
    tags: "long",
  }, async () => {
    await migrate(database.sql);
    const full = connect(database.url, { connection: { default_transaction_read_only: true } });
    await migrate(full);
    expect(await full`select count(*)::int as count from chat_session`).toEqual([{ count: 0 }]);
    await full.end();
  });

  test("makes a fresh database ready, and leaves a ready one as it is", {
    tags: "long",
  }, async () => {
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

  test("leaves the pool's own types alone", { tags: "long" }, async () => {
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

  test("works when five servers start at once", { tags: "long" }, async () => {
    const pools = [1, 2, 3, 4, 5].map(() =>
      connect(database.url, { max: 3, onnotice: () => undefined }),
    );
    await Promise.all(pools.map((pool) => migrate(pool)));
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    const known = await readMigrations(process.cwd());
    expect(await appliedHashes(database.sql, known)).toEqual(known.map(({ hash }) => hash));
  });

  test("refuses a database that a newer version has changed, and touches nothing", {
    tags: "long",
  }, async () => {
    await withVersion({ added: [next] }, (root) => migrate(database.sql, { root }));
    const before = await schemaOf();
    expect(await refusal(migrate(database.sql))).toMatch(/newer version of Grove/);
    expect(await schemaOf()).toEqual(before);
  });

  test("refuses a database of the version before, says how to move what is in it, and touches nothing", async () => {
    const tables = await readFile("lib/postgres/testing/previous-version.sql", "utf8");
    await database.sql.unsafe(tables);
    await database.sql`insert into chat_session (owner_id, session_id) values ('local', 's')`;
    const before = await schemaOf();
    const sentence = await refusal(migrate(database.sql));
    expect(sentence).toMatch(/earlier version of Grove.*Export.*empty database.*Import/);
    expect(await schemaOf()).toEqual(before);
    expect(await database.sql`select session_id from chat_session`).toHaveLength(1);
  });

  test("applies a migration that is dated before ones already applied", {
    tags: "long",
  }, async () => {
    await migrate(database.sql);
    await withVersion({ added: [{ ...next, when: 1 }] }, (root) => migrate(database.sql, { root }));
    expect(await database.sql`select * from next`).toEqual([]);
  });

  test("refuses to go on without a migration that belongs before one already applied", {
    tags: "long",
  }, async () => {
    const late = { tag: "9998_late", text: "create table late (id integer);" };
    await withVersion({ added: [next] }, (root) => migrate(database.sql, { root }));
    await withVersion({ added: [late, next] }, async (root) => {
      expect(await refusal(migrate(database.sql, { root }))).toMatch(
        /1 migration\(s\) were skipped/,
      );
    });
  });

  test("asks for a backup once before it changes existing tables, and changes nothing without one", {
    tags: "long",
  }, async () => {
    const asked: string[] = [];
    const beforeUpgrade = async () => void asked.push("backup");
    await migrate(database.sql, { beforeUpgrade });
    const before = await schemaOf();
    const noSpace = async () => {
      throw new MigrationError("The disk is full.");
    };
    const pools = [1, 2, 3].map(() => connect(database.url, { max: 2 }));
    await withVersion({ added: [next] }, async (root) => {
      expect(await refusal(migrate(database.sql, { root, beforeUpgrade: noSpace }))).toBe(
        "The disk is full.",
      );
      expect(await schemaOf()).toEqual(before);
      await Promise.all(pools.map((pool) => migrate(pool, { root, beforeUpgrade })));
      await migrate(database.sql, { root, beforeUpgrade });
    });
    expect(asked).toEqual(["backup"]);
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  });

  test("says why a migration cannot run, keeps none of it, and can be tried again", {
    tags: "long",
  }, async () => {
    await migrate(database.sql);
    const before = await schemaOf();
    const text =
      "create table half (id integer);\n--> statement-breakpoint\nselect no_such_thing();";
    await withVersion({ added: [{ ...next, text }] }, async (root) => {
      expect(await refusal(migrate(database.sql, { root }))).toMatch(/could not run/);
    });
    expect(await schemaOf()).toEqual(before);
    await migrate(database.sql);
  });

  test("holds no lock when it has failed", { tags: "long" }, async () => {
    const failing = { ...next, text: "select no_such_thing();" };
    await withVersion({ added: [failing] }, (root) => refusal(migrate(database.sql, { root })));
    expect(
      await database.sql`
      select 1 from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
  });
});
