import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import type { Migration } from "@/lib/postgres/start";
import { readSnapshot } from "@/lib/postgres/storage";

export interface SchemaContents {
  readonly tables: readonly TableName[];
  readonly sequences: readonly StoredSequence[];
  readonly schemas: readonly string[];
}

export interface TableName {
  readonly schema: string;
  readonly table: string;
}

export interface SequenceName {
  readonly schema: string;
  readonly sequence: string;
}

interface StoredSequence extends SequenceName {
  /** Belongs to a column, and is created and dropped with it. */
  readonly isIdentity: boolean;
}

/** Rows about this installation. They are neither in backups nor restored. */
const installationTables = ["bookkeeping.applied_functions", "bookkeeping.backup_attempt"];

const inPublic = z.string().transform((schema) => schema || "public");
const snapshot = z.object({
  tables: z.record(
    z.string(),
    z.object({
      name: z.string(),
      schema: inPublic,
      columns: z.record(
        z.string(),
        z.object({ identity: z.object({ name: z.string(), schema: inPublic }).optional() }),
      ),
    }),
  ),
  sequences: z.record(z.string(), z.object({ name: z.string(), schema: inPublic })),
  schemas: z.record(z.string(), z.string()),
});

export async function contentsAfter(
  migrations: readonly Migration[],
  root: string,
): Promise<SchemaContents> {
  const last = [...new Map(migrations.map((each) => [each.list, each])).values()];
  const read = await Promise.all(last.map((each) => readSnapshot(root, each)));
  const known = read.map((each) => snapshot.parse(each));
  // The library's of released versions have the tables of the application, too.
  const tables = [...new Map(known.flatMap((each) => Object.entries(each.tables))).values()];
  const sequences = known.flatMap((each) => Object.values(each.sequences));
  const identities = tables
    .flatMap(({ columns }) => Object.values(columns))
    .flatMap(({ identity }) => identity ?? []);
  return {
    tables: tables.map(({ schema, name }) => ({ schema, table: name })),
    sequences: [
      ...sequences.map((found) => ({ ...found, isIdentity: false })),
      ...identities.map((found) => ({ ...found, isIdentity: true })),
    ].map(({ schema, name, isIdentity }) => ({ schema, sequence: name, isIdentity })),
    schemas: [...new Set(known.flatMap((each) => Object.values(each.schemas)))],
  };
}

export function backedUpTables({ tables }: SchemaContents): TableName[] {
  return tables.filter((table) => !installationTables.includes(qualifiedName(table)));
}

export function qualifiedName({ schema, table }: TableName): string {
  return `${schema}.${table}`;
}

/** Names are ours, or those of a file matched with ours. */
export function quoted(...names: string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
}

export async function storedColumns(
  sql: Sql,
  tables: readonly TableName[],
): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select
      namespace.nspname || '.' || class.relname as table,
      array_agg(attribute.attname::text order by attribute.attnum) as columns
    from pg_class class
    join pg_namespace namespace on namespace.oid = class.relnamespace
    join pg_attribute attribute on attribute.attrelid = class.oid
    where namespace.nspname || '.' || class.relname = any (${tables.map(qualifiedName)})
      and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
    group by namespace.nspname, class.relname`;
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** COPY writes and reads moments and numbers in these formats, within the open transaction. */
export async function setNeutralFormats(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local extra_float_digits = 3;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;`);
}
