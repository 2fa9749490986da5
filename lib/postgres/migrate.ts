import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type postgres from "postgres";
import { ownConnection, transactionOn } from "./connections/own-connection";
import type { Sql } from "./connections/sql";
import { drizzleOn } from "./drizzle-on";
import { MigrationError } from "./migration-error";
import {
  applyMigrations,
  type Migration,
  migrationLock,
  prepareRecords,
  readMigrations,
  record,
  recordedHashes,
  squash,
} from "./migrations";
import { appliedFunctions } from "./schema";
import { rebuildWords } from "./search/rebuild-words";

const oldestServer = 150_000;
const functionFolders = ["lib/postgres", "lib/storage"];
const secondsToEnd = 5;
const otherTables =
  "This database was made by an earlier version of Grove, whose tables this version cannot read; nothing in it was changed. To move: start the earlier version on it and choose Export under Settings, Data. Then start this version on an empty database (another GROVE_DATA_DIR or DATABASE_URL) and choose Import there.";

export interface MigrateOptions {
  /**
   * Folder that contains `drizzle` and the SQL files of `lib/postgres`; an application has its own migrations and SQL
   * files in `lib/storage`. Default: the library's.
   */
  readonly root?: string | undefined;
  /** Runs under the lock before existing tables change. A failure changes nothing. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined;
}

/**
 * Applies migrations, functions, and search words if their analysis changed. A lock lets any number of servers start at
 * once; the migrations are one transaction. @throws {MigrationError} when Postgres is too old, a migration fails, or
 * the database comes from a newer Grove.
 */
export async function migrate(
  pool: Sql | postgres.Sql,
  { root = libraryRoot(), beforeUpgrade }: MigrateOptions = {},
): Promise<void> {
  const sql = ownConnection(pool, { deadlineMs: null });
  try {
    await assertServerVersion(sql);
    await sql`select pg_advisory_lock(${migrationLock})`;
    await migrateTables(sql, { root, beforeUpgrade });
    await replaceFunctions(sql, root);
    await rebuildWords(sql);
  } finally {
    // The lock ends with the connection.
    await sql.end({ timeout: secondsToEnd });
  }
}

/** The nearest folder above this file with migrations. */
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

/** @throws {MigrationError} when the server is older than Postgres 15. */
export async function assertServerVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ version: string; name: string }[]>`
    select current_setting('server_version_num') as version, current_setting('server_version') as name`;
  if (Number(row?.version) < oldestServer) {
    throw new MigrationError(`Grove needs Postgres 15 or newer; this server is ${row?.name}.`);
  }
}

async function migrateTables(
  sql: Sql,
  { root, beforeUpgrade }: { root: string } & Pick<MigrateOptions, "beforeUpgrade">,
): Promise<void> {
  const known = await readMigrations(root);
  const recorded = await recordedHashes(sql, known);
  const applied = squash(recorded, known);
  assertKnown(applied, known);
  const isApplied = ({ hash }: Migration) => applied.includes(hash);
  const pending = known.filter((each) => !isApplied(each));
  const unrecorded = known.filter((each) => isApplied(each) && !recorded.includes(each.hash));
  if (pending.length + unrecorded.length === 0) return;
  if (applied.length > 0 && pending.length > 0) await beforeUpgrade?.();
  try {
    await transactionOn(sql, async () => {
      await prepareRecords(sql);
      for (const migration of unrecorded) await record(sql, migration);
      await applyMigrations(sql, pending);
    });
  } catch (cause) {
    throw new MigrationError(
      `A migration could not run, so nothing was changed by it: ${reason(cause)}`,
      { cause },
    );
  }
}

/** @throws {MigrationError} when `applied` has migrations that this version cannot continue from. */
export function assertKnown(applied: readonly string[], known: readonly Migration[]): void {
  const hashes = known.map(({ hash }) => hash);
  const replaced = known.flatMap(({ replaces }) => replaces);
  const left = applied.filter((hash) => replaced.includes(hash));
  if (left.length > 0) {
    throw new MigrationError(
      `This database has ${left.length} of the ${replaced.length} migrations of Grove 0.1.0; nothing in it was changed. Start Grove 0.1.0 on it once, which applies the others, then this version. Or choose Export there under Settings, Data, and Import in this version on an empty database (another GROVE_DATA_DIR or DATABASE_URL).`,
    );
  }
  if (applied.length > 0 && !applied.includes(hashes[0] ?? ""))
    throw new MigrationError(otherTables);
  if (applied.some((hash) => !hashes.includes(hash))) {
    throw new MigrationError(
      "The database was changed by a newer version of Grove. Start that version, or use another database.",
    );
  }
  const isApplied = ({ hash }: Migration) => applied.includes(hash);
  // An application may come to a database that the library has alone.
  const skipped = known.filter(
    (each, n) =>
      !isApplied(each) &&
      known.slice(n).some((later) => later.list === each.list && isApplied(later)),
  );
  if (skipped.length > 0) {
    throw new MigrationError(
      `${skipped.length} migration(s) were skipped because they come before ones already applied. Regenerate them.`,
    );
  }
}

/**
 * Without comments and indentation, a third of the text. The package ships it and the app applies it, so both know it by
 * one hash. A distributed database finds the node of an owner as it plans, so it has no generic plans.
 */
export function shippedSql(functions: string, { isDistributed = false } = {}): string {
  const text = functions.replace(/^ *(--.*)?\n/gm, "").replace(/^ +/gm, "");
  return isDistributed ? text.replace(/^set plan_cache_mode = force_generic_plan\n/gm, "") : text;
}

async function replaceFunctions(sql: Sql, root: string): Promise<void> {
  const folders = functionFolders
    .map((name) => join(/* turbopackIgnore: true */ root, name))
    .filter(existsSync);
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return names.map((name) => join(folder, name));
    }),
  );
  // A function may use those with lower numbers, across folders.
  const files = listed.flat().filter((path) => /^\d\d-.+\.sql$/.test(basename(path)));
  files.sort((one, other) => basename(one).localeCompare(basename(other)));
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8")));
  const [citus] = await sql`select from pg_extension where extname = 'citus'`;
  const text = shippedSql(texts.join("\n"), { isDistributed: citus !== undefined });
  const hash = sha256(text);
  const [current] = await drizzleOn(sql).select().from(appliedFunctions);
  if (current?.hash === hash) return;
  try {
    // One simple-protocol message is one transaction.
    await sql.unsafe(`set local check_function_bodies = off;\n${text}
      delete from bookkeeping.applied_functions; insert into bookkeeping.applied_functions values ('${hash}');`);
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
