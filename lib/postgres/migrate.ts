import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate as applyMigrations } from "drizzle-orm/pg-proxy/migrator";
import type { ReservedSql, Sql } from "postgres";
import { drizzleOn } from "./drizzle-on";
import { MigrationError } from "./migration-error";
import { appliedFunctions } from "./schema";
import { rebuildWords } from "./search/rebuild-words";

const migrationLock = 7_454_127_525;
const oldestServer = 150_000;
const otherTables =
  "This database was made by an earlier version of Grove, whose tables this version cannot read; nothing in it was changed. To move: start the earlier version on it and choose Export under Settings, Data. Then start this version on an empty database (another GROVE_DATA_DIR or DATABASE_URL) and choose Import there.";

export interface MigrateOptions {
  /** Folder that contains `drizzle` and the SQL files of `lib/postgres`. Default: the library's own. */
  readonly root?: string | undefined;
}

/**
 * Applies migrations, functions, and search words if their analysis changed. A lock lets any number of servers start at
 * once.
 *
 * @throws {MigrationError} when Postgres is too old, a migration fails, or the database comes from a newer Grove.
 */
export async function migrate(
  sql: Sql,
  { root = libraryRoot() }: MigrateOptions = {},
): Promise<void> {
  const lock = await sql.reserve();
  try {
    await assertServerVersion(lock);
    await lock`select pg_advisory_lock(${migrationLock})`;
    try {
      await migrateTables(sql, join(root, "drizzle"));
      await replaceFunctions(lock, join(root, "lib/postgres"));
      await rebuildWords(lock);
    } finally {
      await lock`select pg_advisory_unlock(${migrationLock})`;
    }
  } finally {
    lock.release();
  }
}

/** The package where it is installed, or the project: the nearest folder above this file with migrations. */
function libraryRoot(): string {
  const isRoot = (folder: string) => existsSync(join(folder, "drizzle/meta/_journal.json"));
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (isRoot(folder)) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new MigrationError(
    `No migrations were found above ${start}. Pass the folder of the library as \`root\`, or keep bundlers from moving its files.`,
  );
}

async function assertServerVersion(sql: ReservedSql): Promise<void> {
  const [row] = await sql<{ version: string; name: string }[]>`
    select current_setting('server_version_num') as version, current_setting('server_version') as name`;
  if (Number(row?.version) < oldestServer) {
    throw new MigrationError(`Grove needs Postgres 15 or newer; this server is ${row?.name}.`);
  }
}

async function migrateTables(sql: Sql, migrationsFolder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);
  const before = await appliedHashes(sql);
  if (before.length > 0 && !before.includes(known[0] ?? "")) throw new MigrationError(otherTables);
  if (before.some((hash) => !known.includes(hash))) {
    throw new MigrationError(
      "The database was changed by a newer version of Grove. Start that version, or use another database.",
    );
  }
  try {
    const inOneTransaction = (statements: string[]) =>
      sql.begin(async (transaction) => {
        for (const statement of statements) await transaction.unsafe(statement);
      });
    await applyMigrations(
      drizzleOn(sql),
      async (statements) => void (await inOneTransaction(statements)),
      {
        migrationsFolder,
      },
    );
  } catch (cause) {
    throw new MigrationError(
      `A migration could not run, so nothing was changed by it: ${reason(cause)}`,
      { cause },
    );
  }
  // The migrator silently skips a migration older than the newest applied one.
  const applied = await appliedHashes(sql);
  const skipped = known.filter((hash) => !applied.includes(hash));
  if (skipped.length > 0) {
    throw new MigrationError(
      `${skipped.length} migration(s) were skipped because they are dated before ones already applied. Regenerate them.`,
    );
  }
}

/** SHA-256 like the migrator's, in the order applied. */
async function appliedHashes(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ found: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as found`;
  if (!table?.found) return [];
  const rows = await sql<
    { hash: string }[]
  >`select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map((row) => row.hash);
}

/** Leaves unchanged ones alone. */
async function replaceFunctions(sql: ReservedSql, folder: string): Promise<void> {
  const listed = await readdir(folder, { recursive: true });
  // A function may use those with lower numbers, across folders.
  const files = listed.filter((path) => /^\d\d-.+\.sql$/.test(basename(path)));
  files.sort((one, other) => basename(one).localeCompare(basename(other)));
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
  const text = texts.join("\n");
  const hash = sha256(text);
  const [current] = await drizzleOn(sql).select().from(appliedFunctions);
  if (current?.hash === hash) return;
  try {
    // One simple-protocol message is one transaction.
    await sql
      .unsafe(`set local check_function_bodies = off;\n${text}
      delete from bookkeeping.applied_functions; insert into bookkeeping.applied_functions values ('${hash}');`)
      .simple();
  } catch (cause) {
    throw new MigrationError(`The database functions could not be replaced: ${reason(cause)}`, {
      cause,
    });
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
