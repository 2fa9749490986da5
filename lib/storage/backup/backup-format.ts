import { z } from "zod";

export class BackupError extends Error {
  override readonly name = "BackupError";
}

export const backupFormat = 1;
export const manifestName = "manifest.json";
export const maxManifestBytes = 1_000_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.int().min(0);
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const tableFile = z.object({
  schema: name,
  table: name,
  columns: z.array(name).min(1),
  rows: whole,
  bytes: whole,
  sha256,
});

const sequence = z.object({
  schema: name,
  sequence: name,
  /** Text, for values above 2^53. */
  lastValue: z.string().regex(/^-?\d{1,19}$/),
  isCalled: z.boolean(),
});

/**
 * `manifest.json` is the last entry; tables come before it in the text format of COPY. @see
 * https://www.postgresql.org/docs/18/sql-copy.html
 */
export const manifestSchema = z.object({
  type: z.literal("grove-backup"),
  format: z.literal(backupFormat),
  madeAt: z.iso.datetime(),
  groveVersion: z.string().max(100),
  postgresVersion: z.string().max(200),
  migrations: z.array(z.object({ tag: z.string().max(200), sha256 })).min(1),
  tables: z.array(tableFile),
  sequences: z.array(sequence),
  /** Earlier versions wrote none. */
  elsewhere: z.object({ files: whole, bytes: whole }).optional(),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableFile = Manifest["tables"][number];

export function entryName({ schema, table }: Pick<TableFile, "schema" | "table">): string {
  return `tables/${schema}.${table}.copy`;
}

/** The SHA-256 of all bytes before it notices changes in headers, too, which no checksum of an entry covers. */
export function sealOf(digest: string): string {
  return `grove-backup sha256 ${digest}`;
}

export const sealBytes = sealOf("0".repeat(64)).length;

export function readSeal(comment: string): string | null {
  return /^grove-backup sha256 ([0-9a-f]{64})$/.exec(comment)?.[1] ?? null;
}
