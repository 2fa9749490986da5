import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { z } from "zod";

/** One step of the schema, of the folder `drizzle`. */
export interface Migration {
  /** The name of its file, such as `0000_init`. */
  readonly tag: string;
  /** SHA-256 of its file. */
  readonly hash: string;
  /** Milliseconds since 1970, as the journal says. */
  readonly when: number;
  readonly statements: readonly string[];
  /** Hashes of those it squashes. */
  readonly replaces: readonly string[];
}

/** Makes sure that one process at a time changes the schema. Held by a session, not a transaction. */
export const migrationLock = 7_454_127_525;

const journal = z.object({
  entries: z.array(z.object({ tag: z.string().regex(/^[\w-]+$/), when: z.number() })),
});

/** Replaced hashes, by tag. */
const squashed = z.record(z.string(), z.array(z.string()));

/** In the order of the journal. `root` contains the folder `drizzle`. */
export async function readMigrations(root: string): Promise<Migration[]> {
  const folder = join(root, "drizzle");
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const { entries } = journal.parse(JSON.parse(await read("meta/_journal.json")));
  const replaced = squashed.parse(JSON.parse(await read("squashed.json")));
  return Promise.all(
    entries.map(async ({ tag, when }) => {
      const text = await read(`${tag}.sql`);
      const hash = createHash("sha256").update(text).digest("hex");
      const statements = text.split("--> statement-breakpoint");
      return { tag, hash, when, statements, replaces: replaced[tag] ?? [] };
    }),
  );
}

/** In the order applied; empty without this schema. */
export async function recordedHashes(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ found: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as found`;
  if (!table?.found) return [];
  const rows = await sql<
    { hash: string }[]
  >`select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map((row) => row.hash);
}

/** Puts a migration in the place of those it replaces, when it or all of them are recorded. */
export function squash(recorded: readonly string[], known: readonly Migration[]): string[] {
  return known.reduce<string[]>(
    (hashes, { hash, replaces }) => {
      const isApplied = hashes.includes(hash) || replaces.every((old) => hashes.includes(old));
      if (replaces.length === 0 || !isApplied) return hashes;
      return [hash, ...hashes.filter((other) => other !== hash && !replaces.includes(other))];
    },
    [...recorded],
  );
}

/** Without replaced ones. */
export async function appliedHashes(sql: Sql, known: readonly Migration[]): Promise<string[]> {
  return squash(await recordedHashes(sql), known);
}

/** In the open transaction of `sql`. Keeps the table of Drizzle's own migrator. */
export async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at numeric
    );`);
  for (const migration of migrations) {
    for (const statement of migration.statements) await sql.unsafe(statement);
    // An earlier version finds the hashes it knows, and after them that of a newer one.
    for (const hash of migration.replaces) await record(sql, { ...migration, hash });
    await record(sql, migration);
  }
}

export async function record(
  sql: Sql,
  { hash, when }: Pick<Migration, "hash" | "when">,
): Promise<void> {
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
}

/** Returns true for the tables of an earlier version. An empty database is not behind. */
export async function isBehind(sql: Sql, root: string): Promise<boolean> {
  const known = await readMigrations(root);
  const applied = await appliedHashes(sql, known);
  return applied.length > 0 && applied.length < known.length;
}
