import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { z } from "zod";
import type { Migration } from "@/lib/postgres/migrations";

export interface SchemaContents {
  readonly tables: readonly TableName[];
  readonly sequences: readonly StoredSequence[];
  /** Besides `public`. */
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

/** Tables and sequences after this migration, as its snapshot in `drizzle/meta` lists them. */
export async function contentsAfter({ tag }: Migration, root: string): Promise<SchemaContents> {
  const [number = ""] = tag.split("_");
  const path = join(root, `drizzle/meta/${number}_snapshot.json`);
  const { tables, sequences, schemas } = snapshot.parse(JSON.parse(await readFile(path, "utf8")));
  const identities = Object.values(tables)
    .flatMap(({ columns }) => Object.values(columns))
    .flatMap(({ identity }) => identity ?? []);
  return {
    tables: Object.values(tables).map(({ schema, name }) => ({ schema, table: name })),
    sequences: [
      ...Object.values(sequences).map((found) => ({ ...found, isIdentity: false })),
      ...identities.map((found) => ({ ...found, isIdentity: true })),
    ].map(({ schema, name, isIdentity }) => ({ schema, sequence: name, isIdentity })),
    schemas: Object.values(schemas),
  };
}

/** Those with rows of people. */
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

/** Stored columns in their order, by qualified name of the table. */
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
    where namespace.nspname || '.' || class.relname in ${sql(tables.map(qualifiedName))}
      and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
    group by namespace.nspname, class.relname`;
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** COPY writes and reads moments and numbers by these; in the open transaction. */
export async function setNeutralFormats(sql: Sql): Promise<void> {
  await sql.unsafe(`
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local extra_float_digits = 3;
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;`);
}
