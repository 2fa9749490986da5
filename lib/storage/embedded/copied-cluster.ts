import { chmod, lchown, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "grove-session/postgres";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import type { Placement } from "./placement";
import { parsePostmasterPid, readPostmasterPid } from "./postmaster-pid";

/** Archives, buckets and version control drop these empty folders, which Postgres needs. */
const maybeEmpty = [
  "pg_commit_ts",
  "pg_dynshmem",
  "pg_logical/mappings",
  "pg_logical/snapshots",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_tblspc",
  "pg_twophase",
  "pg_wal/archive_status",
  "pg_wal/summaries",
];

const neverEmpty = ["global/pg_control", "base", "pg_wal", "pg_xact", "pg_multixact"];

/**
 * Copying a folder commonly loses its owner under root, its mode, and empty folders. @throws {EmbeddedPostgresError}
 * `damaged` when it is incomplete; then nothing is touched.
 */
export async function completeCopy({ account, folder }: Placement): Promise<void> {
  for (const path of neverEmpty) {
    if (await isThere(join(folder, path))) continue;
    throw new EmbeddedPostgresError(
      `The database in ${folder} is incomplete, as after a copy that was cut short: ${path} is missing. Nothing in it was touched. Stop Grove where it was copied from and copy the whole data folder again, or set GROVE_DATA_DIR to another folder.`,
      { code: "damaged" },
    );
  }
  const { uid, mode } = await stat(folder);
  for (const path of maybeEmpty) {
    const made = await mkdir(join(folder, path), { recursive: true, mode: 0o700 });
    if (made && account) await giveAll(made, account);
  }
  if (account && (uid === 0 || (await stat(join(folder, "PG_VERSION"))).uid === 0))
    await giveAll(folder, account);
  // Postgres refuses a folder that others may read.
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** `null` unless it was copied while a server ran there. */
export async function copiedFrom(folder: string): Promise<string | null> {
  const text = await readPostmasterPid(folder);
  const original = text?.split(/\r?\n/)[1];
  if (!text || !original || !parsePostmasterPid(text)) return null;
  const [here, there] = await Promise.all([stat(folder), stat(original).catch(() => null)]);
  return there?.dev === here.dev && there.ino === here.ino ? null : original;
}

export async function forgetServer(folder: string): Promise<void> {
  const names = await readdir(folder);
  const left = names.filter((name) => name === "postmaster.pid" || name.startsWith(".s.PGSQL."));
  for (const name of left) await rm(join(folder, name), { force: true });
}

/**
 * Recovery may have mixed files of different moments, so every row is read. @throws {EmbeddedPostgresError} `damaged`.
 */
export async function assertReadable(sql: Sql, folder: string): Promise<void> {
  try {
    await sql`select set_config(name, 'off', false)
      from unnest(array['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan']) name`;
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`;
    for (const { name } of tables) await sql.unsafe(`select count(*) from ${name}`);
  } catch (cause) {
    throw damaged(folder, { reason: (cause as Error).message, cause });
  }
}

export function damaged(
  folder: string,
  { reason, cause }: { reason: string; cause?: unknown },
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${folder} is damaged, as after a copy made while Grove was running. Stop Grove where it was copied from and copy the whole data folder again, or set GROVE_DATA_DIR to another folder. Postgres said:\n${reason}`,
    { code: "damaged", cause },
  );
}

async function giveAll(folder: string, { uid, gid }: NonNullable<Placement["account"]>) {
  const entries = await readdir(folder, { recursive: true });
  for (const path of ["", ...entries]) await lchown(join(folder, path), uid, gid);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
