import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { restoreBackup } from "@/lib/storage/backup/restore-backup";
import { stateOf } from "@/lib/storage/backup/testing/database-state";
import { connect } from "./connect";
import type { Sql } from "./connections/sql";
import { migrate } from "./migrate";
import { isBehind, type Migration, readMigrations, recordedHashes } from "./migrations";
import { brokenInvariants } from "./testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { released, releasedBackup, withVersion } from "./testing/version-folder";

const current = process.cwd();
const [init] = await readMigrations(current);
const { hash = "", replaces = [] } = init ?? {};

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterEach(() => database.drop());

function asReleased<Result>(work: (root: string) => Promise<Result>, count?: number) {
  return withVersion({ from: released, ...(count && { count }) }, work);
}

/** Without the migrations after it. */
function asSquashed<Result>(work: (root: string) => Promise<Result>) {
  return withVersion({ count: 1 }, work);
}

/** Rows of every kind, as 0.1.0 wrote them. */
async function fillReleased(sql: Sql): Promise<void> {
  await asReleased(async (root) => {
    // They made the same tables as the one migration that replaces them.
    await copyFile(
      "drizzle/meta/0000_snapshot.json",
      join(root, "drizzle/meta/0009_snapshot.json"),
    );
    const file = await openBackupFile(releasedBackup);
    await restoreBackup(sql, file, { root }).finally(() => file.close());
  });
}

/** Tables with their columns in order, constraints, indexes and sequences, by name. */
async function schemaOf(sql: Sql): Promise<[string, string][]> {
  const rows = await sql<{ name: string; fact: string }[]>`
    with own as (
      select class.*, nspname from pg_class class
      join pg_namespace namespace on namespace.oid = relnamespace
      where nspname in ('public', 'bookkeeping', 'drizzle') and relkind in ('r', 'p', 'i', 'I', 'S')
    )
    select nspname || '.' || relname as name, concat_ws(' ', relkind, reloptions::text,
      pg_get_expr(relpartbound, own.oid), pg_get_partkeydef(own.oid), pg_get_indexdef(own.oid),
      (select concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle)
       from pg_sequence where seqrelid = own.oid),
      (select string_agg(concat_ws(' ', attnum, attname, format_type(atttypid, atttypmod), attnotnull,
         attidentity, attgenerated, attstorage, attcollation::regcollation, pg_get_expr(adbin, adrelid)), ', ' order by attnum)
       from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where attrelid = own.oid and attnum > 0),
      (select string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' order by conname)
       from pg_constraint where conrelid = own.oid)) as fact
    from own union all select 'extension ' || extname, extversion from pg_extension order by 1`;
  // The tenfold history left a parameter on the index of the partitioned table, which itself holds no words.
  const left = / WITH \(gin_pending_list_limit='256'\)|\{gin_pending_list_limit=256\} /g;
  return rows.map(({ name, fact }) => [name, fact.replaceAll(left, "")]);
}

async function refusal(act: Promise<void>): Promise<string> {
  return act.then(
    () => "none",
    (cause: Error) => cause.message,
  );
}

describe("The migration that replaces the ten of 0.1.0", () => {
  test("names exactly these", async () => {
    const ten: Migration[] = await asReleased(readMigrations);
    expect(ten).toHaveLength(10);
    expect(replaces).toEqual(ten.map((migration) => migration.hash));
  });

  test("makes what they made: columns in their order, constraints, indexes, sequences", {
    tags: "long",
  }, async () => {
    const fresh = await createTestDatabase({ migrated: false });
    await asSquashed((root) => migrate(fresh.sql, { root }));
    await asReleased((root) => migrate(database.sql, { root }));
    const made = await schemaOf(fresh.sql);
    expect(made.length).toBeGreaterThan(150);
    expect(await schemaOf(database.sql)).toEqual(made);
    await fresh.drop();
  });

  test("counts as applied where they were, whose rows stay as they are", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    await fillReleased(sql);
    const before = await stateOf(sql);
    const asked: string[] = [];
    await asSquashed(async (root) => {
      expect(await isBehind(sql, root)).toBe(false);
      await migrate(sql, { root, beforeUpgrade: async () => void asked.push("backup") });
    });
    expect(await stateOf(sql)).toEqual(before);
    expect(await recordedHashes(sql, [])).toEqual([...replaces, hash]);
    expect(asked).toEqual([]);
    await migrate(sql);
    expect(await brokenInvariants(sql)).toEqual([]);
  });

  test("is recorded once, by one of five servers that start at once", {
    tags: "long",
  }, async () => {
    const { sql, url } = database;
    await asReleased((root) => migrate(sql, { root }));
    const pools = Array.from({ length: 5 }, () => connect(url, { max: 2 }));
    await asSquashed((root) => Promise.all(pools.map((pool) => migrate(pool, { root }))));
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    const records = () => sql`select xmin::text, * from drizzle.__drizzle_migrations order by id`;
    const recorded = await records();
    expect(recorded.map((row) => row.hash)).toEqual([...replaces, hash]);
    await asSquashed((root) => migrate(sql, { root }));
    expect(await records()).toEqual(recorded);
  });

  test("is recorded together with the migrations after it, or not at all", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    await asReleased((root) => migrate(sql, { root }));
    const migrateTo = (text: string) =>
      withVersion({ count: 1, added: [{ tag: "9999_next", text }] }, (root) =>
        migrate(sql, { root }),
      );
    expect(await refusal(migrateTo("select no_such_thing();"))).toMatch(/could not run/);
    expect(await recordedHashes(sql, [])).toEqual(replaces);
    await migrateTo("create table next (id integer);");
    expect(await recordedHashes(sql, [])).toEqual([...replaces, hash, expect.any(String)]);
  });

  test.each([1, 4, 9])(
    "is refused after the first %d of them, and nothing is touched",
    { tags: "long" },
    async (count) => {
      const { sql } = database;
      await asReleased((root) => migrate(sql, { root }), count);
      await sql`insert into chat_session (owner_id, session_id) values ('local', 's')`;
      const before = await stateOf(sql);
      expect(await refusal(migrate(sql))).toMatch(
        new RegExp(`has ${count} of the 10 .* Start Grove 0\\.1\\.0 on it once, .* Export there`),
      );
      expect(await stateOf(sql)).toEqual(before);
      await asReleased((root) => migrate(sql, { root }));
      await migrate(sql);
      expect(await sql`select session_id from chat_session`).toHaveLength(1);
    },
  );

  test("is a newer version's to 0.1.0, on a database that was upgraded and on a new one", {
    tags: "long",
  }, async () => {
    const { sql } = database;
    const fresh = await createTestDatabase();
    await asReleased(async (root) => {
      await migrate(sql, { root });
      await migrate(sql);
      for (const opened of [sql, fresh.sql])
        expect(await refusal(migrate(opened, { root }))).toMatch(/by a newer version of Grove/);
    });
    await fresh.drop();
  });
});
