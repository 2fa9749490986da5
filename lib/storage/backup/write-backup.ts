import type { Sql } from "grove-session/postgres";
import { appliedHashes, type Migration, readMigrations } from "@/lib/postgres/start";
import { assertKnown, connectionsBelow, openTransaction } from "@/lib/postgres/storage";
import { createBackupFile, RowCount } from "./backup-file";
import {
  BackupError,
  backupFormat,
  entryName,
  type Manifest,
  manifestName,
  type TableFile,
} from "./backup-format";
import {
  backedUpTables,
  contentsAfter,
  qualifiedName,
  quoted,
  type SchemaContents,
  setNeutralFormats,
  storedColumns,
} from "./schema-contents";

export interface WriteBackupOptions {
  readonly path: string;
  readonly root: string;
  readonly groveVersion: string;
  readonly signal?: AbortSignal | undefined;
}

export interface WrittenBackup {
  readonly manifest: Manifest;
  readonly bytes: number;
}

/**
 * The backup is one moment of the database. Provider keys are in it encrypted, the key that opens them is not. @throws
 * {BackupError} when the file cannot be written. @throws {MigrationError} when the database is of a newer Grove.
 */
export async function writeBackup(
  pool: Sql,
  { path, root, groveVersion, signal }: WriteBackupOptions,
): Promise<WrittenBackup> {
  const known = await readMigrations(root);
  const migrations = await appliedMigrations(pool, known);
  if (migrations.length === 0)
    throw new BackupError("The database is empty, so there is nothing to back up.");
  const contents = await contentsAfter(migrations, root);
  const sql = await openTransaction(pool, "snapshot", { deadlineMs: null });
  try {
    await lockTables(sql, contents);
    await setNeutralFormats(sql);
    if ((await appliedHashes(sql, known)).length !== migrations.length) {
      throw new BackupError("The database was upgraded at the same moment. Back up again.");
    }
    let manifest: Manifest | undefined;
    const bytes = await createBackupFile(path, {
      signal,
      async fill(add) {
        const tables: TableFile[] = [];
        const columns = await storedColumns(sql, contents.tables);
        for (const table of backedUpTables(contents)) {
          signal?.throwIfAborted();
          const stored = columns.get(qualifiedName(table)) ?? [];
          const count = new RowCount();
          await add(entryName(table), counted(copyOut(sql, { ...table, columns: stored }), count));
          tables.push({ ...table, columns: stored, ...count.end() });
        }
        manifest = await manifestOf(sql, { migrations, contents, tables, groveVersion });
        await add(manifestName, one(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)));
      },
    });
    if (!manifest) throw new Error("The backup has no manifest.");
    return { manifest, bytes };
  } finally {
    await sql.end({ timeout: 0 });
  }
}

export async function appliedMigrations(
  sql: Sql,
  known: readonly Migration[],
): Promise<Migration[]> {
  const applied = await appliedHashes(sql, known);
  assertKnown(applied, known);
  return known.slice(0, applied.length);
}

/** Locks precede the first query, which fixes the moment: a migration in between would show empty tables. */
async function lockTables(sql: Sql, { tables }: SchemaContents): Promise<void> {
  const names = tables.map(({ schema, table }) => quoted(schema, table));
  await sql.unsafe(`lock table ${names.join(", ")} in access share mode`);
}

async function* copyOut(
  sql: Sql,
  { schema, table, columns }: Pick<TableFile, "schema" | "table" | "columns">,
): AsyncGenerator<Uint8Array> {
  const list = columns.map((column) => quoted(column)).join(", ");
  // A query, because COPY reads no partitioned table.
  const text = `copy (select ${list} from ${quoted(schema, table)}) to stdout`;
  const stream = await connectionsBelow(sql).run((driver) => driver.unsafe(text).readable());
  yield* stream;
  // postgres 3.4.9 pauses its socket while the stream is full. When the end arrived in the same packet, nothing resumes
  // it, and the next statement would wait for ever.
  stream._read(0);
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: RowCount,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count.add(chunk);
    yield chunk;
  }
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

async function manifestOf(
  sql: Sql,
  {
    migrations,
    contents,
    tables,
    groveVersion,
  }: {
    migrations: readonly Migration[];
    contents: SchemaContents;
    tables: TableFile[];
    groveVersion: string;
  },
): Promise<Manifest> {
  const [server] = await sql<{ version: string; moment: Date }[]>`
    select current_setting('server_version') as version, now() as moment`;
  const sequences: Manifest["sequences"] = [];
  // Sequences know no snapshots. Read last, they are at or after the moment of the rows.
  for (const { schema, sequence } of contents.sequences) {
    const [state] = await sql.unsafe<{ lastValue: string; isCalled: boolean }[]>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(schema, sequence)}`,
    );
    if (state) sequences.push({ schema, sequence, ...state });
  }
  return {
    type: "grove-backup",
    format: backupFormat,
    madeAt: (server?.moment ?? new Date()).toISOString(),
    groveVersion,
    postgresVersion: server?.version ?? "",
    migrations: migrations.map(({ tag, hash }) => ({ tag, sha256: hash })),
    tables,
    sequences,
    elsewhere: await filesElsewhere(sql, contents),
  };
}

async function filesElsewhere(
  sql: Sql,
  { tables }: SchemaContents,
): Promise<NonNullable<Manifest["elsewhere"]>> {
  if (!tables.some(({ table }) => table === "chat_file")) return { files: 0, bytes: 0 };
  const [row] = await sql<{ files: number; bytes: number }[]>`
    select count(*)::float8 as files, coalesce(sum(size), 0)::float8 as bytes
    from chat_file where object is not null`;
  return row ?? { files: 0, bytes: 0 };
}
