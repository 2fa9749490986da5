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
}

/** Makes sure that one process at a time changes the schema. Held by a session, not a transaction. */
export const migrationLock = 7_454_127_525;

const journal = z.object({
  entries: z.array(z.object({ tag: z.string().regex(/^[\w-]+$/), when: z.number() })),
});

/** In the order of the journal. `root` contains the folder `drizzle`. */
export async function readMigrations(root: string): Promise<Migration[]> {
  const folder = join(root, "drizzle");
  const { entries } = journal.parse(
    JSON.parse(await readFile(join(folder, "meta/_journal.json"), "utf8")),
  );
  return Promise.all(
    entries.map(async ({ tag, when }) => {
      const text = await readFile(join(folder, `${tag}.sql`), "utf8");
      const hash = createHash("sha256").update(text).digest("hex");
      return { tag, hash, when, statements: text.split("--> statement-breakpoint") };
    }),
  );
}

/** Hashes in the order applied; empty for a database without this schema. */
export async function appliedHashes(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ found: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as found`;
  if (!table?.found) return [];
  const rows = await sql<
    { hash: string }[]
  >`select hash from drizzle.__drizzle_migrations order by id`;
  return rows.map((row) => row.hash);
}

/** In the open transaction of `sql`. Keeps the table of Drizzle's own migrator. */
export async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at numeric
    );`);
  for (const { statements, hash, when } of migrations) {
    for (const statement of statements) await sql.unsafe(statement);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
  }
}

/** Returns true for the tables of an earlier version. An empty database is not behind. */
export async function isBehind(sql: Sql, root: string): Promise<boolean> {
  const applied = await appliedHashes(sql);
  return applied.length > 0 && applied.length < (await readMigrations(root)).length;
}
