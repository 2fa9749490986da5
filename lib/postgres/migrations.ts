import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Sql } from "./connections/sql";

const folders = { library: "drizzle", application: "lib/storage/migrations" } as const;

export interface Migration {
  readonly list: keyof typeof folders;
  /** The name of its file, such as `0000_init`. */
  readonly tag: string;
  readonly hash: string;
  /** Milliseconds since 1970, as the journal says. */
  readonly when: number;
  readonly statements: readonly string[];
  /** Hashes of the migrations it squashes. */
  readonly replaces: readonly string[];
}

/** A session holds the lock, not a transaction. */
export const migrationLock = 7_454_127_525;

const journal = z.object({
  entries: z.array(z.object({ tag: z.string().regex(/^[\w-]+$/), when: z.number() })),
});

const squashed = z.record(z.string(), z.array(z.string()));

/**
 * The library's migrations and the application's, in the order of their times; within a list that of its journal
 * counts.
 */
export async function readMigrations(root: string): Promise<Migration[]> {
  const [library, application] = await Promise.all([
    readList(root, "library"),
    readList(root, "application"),
  ]);
  const merged: Migration[] = [];
  while (library.length + application.length > 0) {
    const isEarlier = (application[0]?.when ?? Infinity) < (library[0]?.when ?? Infinity);
    merged.push(...(isEarlier ? application : library).splice(0, 1));
  }
  return merged;
}

async function readList(root: string, list: Migration["list"]): Promise<Migration[]> {
  const folder = join(/* turbopackIgnore: true */ root, folders[list]);
  if (list === "application" && !existsSync(/* turbopackIgnore: true */ folder)) return [];
  const read = (name: string) => readFile(join(/* turbopackIgnore: true */ folder, name), "utf8");
  const { entries } = journal.parse(JSON.parse(await read("meta/_journal.json")));
  const replaced =
    list === "library" ? squashed.parse(JSON.parse(await read("squashed.json"))) : {};
  return Promise.all(
    entries.map(async ({ tag, when }) => {
      const text = await read(`${tag}.sql`);
      const hash = createHash("sha256").update(text).digest("hex");
      const statements = text.split("--> statement-breakpoint");
      return { list, tag, hash, when, statements, replaces: replaced[tag] ?? [] };
    }),
  );
}

/** The tables after a migration of its list, as drizzle-kit noted them. */
export async function readSnapshot(root: string, { list, tag }: Migration): Promise<unknown> {
  const [number = ""] = tag.split("_");
  const path = join(root, folders[list], `meta/${number}_snapshot.json`);
  return JSON.parse(await readFile(path, "utf8"));
}

/** Leaves out an application's when none of its migrations is `known`. */
export async function recordedHashes(sql: Sql, known: readonly Migration[]): Promise<string[]> {
  const [table] = await sql<{ found: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as found`;
  if (!table?.found) return [];
  // Databases of 0.2.0 have no such column.
  const rows = await sql<{ hash: string; list: string | null }[]>`
    select hash, to_jsonb(recorded) ->> 'list' as list
    from drizzle.__drizzle_migrations recorded order by id`;
  const isAlone = known.every(({ list }) => list === "library");
  return rows.filter(({ list }) => !isAlone || list === null).map(({ hash }) => hash);
}

/** Puts a migration in the place of those it replaces, once recorded. */
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

/** Hashes of the migrations that a database has, in order. */
export async function appliedHashes(sql: Sql, known: readonly Migration[]): Promise<string[]> {
  return squash(await recordedHashes(sql, known), known);
}

/** Keeps the table of Drizzle's own migrator. */
export async function prepareRecords(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at numeric
    );
    alter table drizzle.__drizzle_migrations add column if not exists list text;`);
}

/** Runs in the open transaction of `sql`. */
export async function applyMigrations(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) {
    for (const statement of migration.statements) await sql.unsafe(statement);
    // An earlier version finds the hashes it knows before a newer one's.
    for (const hash of migration.replaces) await record(sql, { ...migration, hash });
    await record(sql, migration);
  }
}

export async function record(
  sql: Sql,
  { list, hash, when }: Pick<Migration, "list" | "hash" | "when">,
): Promise<void> {
  const name = list === "library" ? null : list;
  await sql`
    insert into drizzle.__drizzle_migrations (hash, created_at, list) values (${hash}, ${when}, ${name})`;
}

/** An empty database is not behind. */
export async function isBehind(sql: Sql, root: string): Promise<boolean> {
  const known = await readMigrations(root);
  const applied = await appliedHashes(sql, known);
  return applied.length > 0 && applied.length < known.length;
}
