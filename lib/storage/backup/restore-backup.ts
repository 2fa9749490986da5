import { once } from "node:events";
import { basename } from "node:path";
import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { migrate } from "grove-session/postgres";
import { type Migration, readMigrations } from "@/lib/postgres/start";
import {
  applyMigrations,
  assertServerVersion,
  connectionsBelow,
  identifier,
  migrationLock,
  ownConnection,
  prepareRecords,
  squash,
  transactionOn,
} from "@/lib/postgres/storage";
import type { BackupFile } from "./backup-file";
import { BackupError, type TableFile } from "./backup-format";
import {
  backedUpTables,
  contentsAfter,
  qualifiedName,
  quoted,
  type SchemaContents,
  type SequenceName,
  setNeutralFormats,
  storedColumns,
  type TableName,
} from "./schema-contents";
import { appliedMigrations } from "./write-backup";

export interface RestoreOptions {
  readonly root: string;
  /** Default: restores only into a database without data. */
  readonly replace?: boolean | undefined;
  /** The example is no data while it has no other messages than these. */
  readonly example?: { readonly sessionId: string; readonly messageIds: readonly string[] };
  /** Backs up the data to be replaced. If it fails, nothing changes. */
  readonly beforeReplace?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const abortedTransaction = "25P02";
const derivedTables = ["chat_word", "chat_stream", "chat_request"];

interface Plan {
  readonly migrations: readonly Migration[];
  readonly contents: SchemaContents;
}

/**
 * Restores and migrates in one transaction. @param file an opened backup, so all of it has been verified @throws
 * {BackupError} when the backup is of a newer Grove, the database holds data or a running Grove uses it.
 */
export async function restoreBackup(
  pool: Sql,
  file: BackupFile,
  { root, replace = false, example, beforeReplace, signal }: RestoreOptions,
): Promise<void> {
  const plan = await planOf(file, root);
  const sql = ownConnection(pool, { deadlineMs: null });
  try {
    await assertServerVersion(sql);
    await assertUnused(sql);
    await sql`select pg_advisory_lock(${migrationLock})`;
    const before = await contentsOf(sql, root);
    if (before && (await holdsRows(sql, before))) {
      if (!replace && (await holdsData(sql, before, example))) throw await occupied(sql);
      await beforeReplace?.();
    }
    await transactionOn(sql, async () => {
      await setNeutralFormats(sql);
      await sql`set local lock_timeout = '10s'`;
      if (before) await dropContents(sql, before);
      await prepareRecords(sql);
      await applyMigrations(sql, plan.migrations);
      await loadTables(sql, { file, plan, signal });
      await setSequences(sql, file);
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw new BackupError("The restore was stopped. Nothing was changed.");
      throw failedRestore(file, cause);
    });
    await analyze(sql, plan);
  } finally {
    await sql.end({ timeout: 5 });
  }
  await migrate(pool, { root });
}

/** The backup's migrations must be the first ones of this version. */
async function planOf({ manifest, path }: BackupFile, root: string): Promise<Plan> {
  const known = await readMigrations(root);
  const recorded = manifest.migrations.map(({ sha256 }) => sha256);
  const hashes = squash(recorded, known);
  const migrations = known.slice(0, hashes.length);
  if (migrations.length === 0 || hashes.some((hash, n) => hash !== known[n]?.hash)) {
    const isPart = known.some(({ replaces }) => replaces.some((old) => hashes.includes(old)));
    const advice = isPart
      ? "with that version, back up there and restore the new backup"
      : "with that version or a newer one";
    throw new BackupError(
      `${basename(path)} was made by Grove ${manifest.groveVersion}, whose tables this version does not know. Restore it ${advice}. Nothing was changed.`,
    );
  }
  const contents = await contentsAfter(migrations, root);
  const names = (tables: readonly TableName[], sequences: readonly SequenceName[]) => {
    const numbered = sequences.map(({ schema, sequence }) => ({ schema, table: sequence }));
    return [...tables, ...numbered].map(qualifiedName).sort().join();
  };
  const expected = names(backedUpTables(contents), contents.sequences);
  if (names(manifest.tables, manifest.sequences) !== expected) {
    throw new BackupError(
      `${basename(path)} does not hold the tables and sequences of its version. Nothing was changed.`,
    );
  }
  return { migrations, contents };
}

/** A running server would go on with remembered data. */
async function assertUnused(sql: Sql): Promise<void> {
  const [found] = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name in ('grove', 'grove-chunks') limit 1`;
  if (!found) return;
  throw new BackupError(
    "Grove is running on this database. Stop it, then restore. Nothing was changed.",
  );
}

async function contentsOf(sql: Sql, root: string): Promise<SchemaContents | null> {
  const applied = await appliedMigrations(sql, await readMigrations(root));
  return applied.length > 0 ? contentsAfter(applied, root) : null;
}

async function holdsRows(sql: Sql, contents: SchemaContents): Promise<boolean> {
  const each = backedUpTables(contents)
    .filter(({ schema }) => schema === "public")
    .map(({ schema, table }) => `exists (select 1 from ${quoted(schema, table)})`);
  const [row] = await sql.unsafe<{ holds: boolean }[]>(`select ${each.join(" or ")} as holds`);
  return row?.holds === true;
}

async function holdsData(
  sql: Sql,
  contents: SchemaContents,
  example: RestoreOptions["example"],
): Promise<boolean> {
  const tables = backedUpTables(contents).filter(({ schema }) => schema === "public");
  const columns = await storedColumns(sql, tables);
  const { sessionId, messageIds } = example ?? { sessionId: "", messageIds: [] };
  const isOutside = sql`session_id is distinct from ${sessionId || null}`;
  const isOwn = (table: TableName) => {
    if (table.table === "chat_owner") return sql`settings - 'exampleMade' - 'seenVersion' <> '{}'`;
    if (table.table === "chat_block") return sql`origin <> 'app' and ${isOutside}`;
    if (table.table === "chat_message") return sql`${isOutside} or id <> all(${messageIds})`;
    return columns.get(qualifiedName(table))?.includes("session_id") ? isOutside : sql`true`;
  };
  for (const table of tables) {
    if (derivedTables.includes(table.table)) continue;
    const rows = await sql`
      select 1 from ${identifier(table.schema)}.${identifier(table.table)} where ${isOwn(table)} limit 1`;
    if (rows.length > 0) return true;
  }
  return false;
}

async function occupied(sql: Sql): Promise<BackupError> {
  const [row] = await sql<{ sessions: number }[]>`
    select count(*)::integer as sessions from chat_session where deleted_at is null`;
  return new BackupError(
    `The database already holds data (chats: ${row?.sessions ?? 0}). Add --replace to replace it; a backup of it is kept. Nothing was changed.`,
  );
}

/** Has no `cascade`, so that an object of somebody else refuses rather than disappears. */
async function dropContents(sql: Sql, { tables, sequences, schemas }: SchemaContents) {
  const triggers = await sql<{ name: string; table: string }[]>`
    select tgname as name, tgrelid::regclass::text as table
    from pg_trigger
    where not tgisinternal and tgname like 'chat\\_%'
    order by tgrelid`;
  for (const { name, table } of triggers)
    await sql.unsafe(`drop trigger ${quoted(name)} on ${table}`);
  const functions = await sql<{ name: string }[]>`
    select function.oid::regprocedure::text as name
    from pg_proc function
    where function.pronamespace = 'public'::regnamespace and (function.proname like 'chat\_%' or function.proname like 'account\_%')
    order by name`;
  const list = (names: readonly string[]) => names.join(", ");
  if (functions.length > 0)
    await sql.unsafe(`drop function ${list(functions.map(({ name }) => name))}`);
  await sql.unsafe(`drop table ${list(tables.map(({ schema, table }) => quoted(schema, table)))}`);
  const own = sequences.filter(({ isIdentity }) => !isIdentity);
  if (own.length > 0) {
    await sql.unsafe(
      `drop sequence ${list(own.map(({ schema, sequence }) => quoted(schema, sequence)))}`,
    );
  }
  for (const schema of schemas) await sql.unsafe(`drop schema ${quoted(schema)}`);
  await sql`delete from drizzle.__drizzle_migrations`;
}

/** Foreign keys are checked once at the end, which is quicker. */
async function loadTables(
  sql: Sql,
  { file, plan, signal }: { file: BackupFile; plan: Plan; signal: AbortSignal | undefined },
): Promise<void> {
  const keys = await foreignKeys(sql, plan.contents);
  for (const { table, name } of keys)
    await sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`);
  const columns = await storedColumns(sql, plan.contents.tables);
  for (const table of file.manifest.tables) {
    const stored = columns.get(qualifiedName(table)) ?? [];
    if (stored.join() !== table.columns.join()) {
      throw new BackupError(`The columns of ${table.table} are not those of its version.`);
    }
    await copyIn(sql, { table, chunks: file.read(table), signal });
  }
  for (const { table, name, definition } of keys) {
    signal?.throwIfAborted();
    await sql.unsafe(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
  }
}

function foreignKeys(sql: Sql, { tables }: SchemaContents) {
  return sql<{ table: string; name: string; definition: string }[]>`
    select
      conrelid::regclass::text as table,
      conname as name,
      pg_get_constraintdef(constraint_.oid) as definition
    from pg_constraint constraint_
    join pg_class class on class.oid = conrelid
    join pg_namespace namespace on namespace.oid = class.relnamespace
    where contype = 'f' and conparentid = 0
      and namespace.nspname || '.' || class.relname = any (${tables.map(qualifiedName)})
    order by 1, 2`;
}

async function copyIn(
  sql: Sql,
  {
    table,
    chunks,
    signal,
  }: { table: TableFile; chunks: AsyncIterable<Uint8Array>; signal: AbortSignal | undefined },
): Promise<void> {
  const name = quoted(table.schema, table.table);
  const columns = table.columns.map((column) => quoted(column)).join(", ");
  const text = `copy ${name} (${columns}) from stdin`;
  const stream = await connectionsBelow(sql).run((driver) => driver.unsafe(text).writable());
  let failure: unknown;
  stream.on("error", (error) => {
    failure ??= error;
  });
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      if (failure) throw failure;
      if (!stream.write(chunk)) await once(stream, "drain");
    }
    await flushed(stream);
    stream.end();
    // The driver takes no other statement until it has ended the COPY.
    await setImmediate();
  } catch (error) {
    stream.destroy(error as Error);
    throw failure ?? error;
  }
  // The driver does not report a failure at the end of a COPY; the transaction knows of it.
  const [counted] = await sql
    .unsafe<{ rows: number }[]>(`select count(*)::integer as rows from ${name}`)
    .catch((error: { code?: string }) => {
      const isAborted = error.code === abortedTransaction;
      throw failure ?? (isAborted ? new Error(`rows of ${table.table} break its rules`) : error);
    });
  if (counted?.rows !== table.rows) {
    throw new BackupError(
      `${table.table} has ${counted?.rows} rows after loading ${table.rows} of them.`,
    );
  }
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(Buffer.alloc(0), (error) => (error ? fail(error) : done()));
  });
}

async function setSequences(sql: Sql, { manifest }: BackupFile): Promise<void> {
  for (const { schema, sequence, lastValue, isCalled } of manifest.sequences) {
    await sql`select setval(${quoted(schema, sequence)}::regclass, ${lastValue}::bigint, ${isCalled})`;
  }
}

/** Loaded tables have no statistics yet, and plans without them are slow. */
async function analyze(sql: Sql, { contents }: Plan): Promise<void> {
  const names = contents.tables.map(({ schema, table }) => quoted(schema, table));
  await sql.unsafe(`analyze ${names.join(", ")}`);
}

function failedRestore({ path }: BackupFile, cause: unknown): BackupError {
  if (cause instanceof BackupError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackupError(
    `The database did not take ${basename(path)}, so nothing was changed: ${reason}`,
    { cause },
  );
}
