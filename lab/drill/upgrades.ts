import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { dataFolderPlace } from "@/lib/backups/backup-settings";
import { upgradeDatabase } from "@/lib/commands/upgrade-database";
import { appliedHashes, type Migration, readMigrations } from "@/lib/postgres/migrations";
import { releasedBackup, withVersion } from "@/lib/postgres/testing/version-folder";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { restoreBackup } from "@/lib/storage/backup/restore-backup";
import {
  type DatabaseState,
  differing,
  multiplyOwners,
  stateOf,
} from "@/lib/storage/backup/testing/database-state";
import { Random } from "@/lib/text/testing/random";
import { type DatabaseCopies, onDatabase, withDatabaseCopies } from "./database-copies";
import type { Drill } from "./drill";

const sizes = [1, 10, 50];
const killsAtOnce = 3;
const next = {
  tag: "9999_next",
  text: [
    "create table chat_next (owner_id text primary key, kind text not null)",
    "insert into chat_next select distinct owner_id, 'made' from chat_session",
    "alter table chat_message add column digest text",
    "update chat_message set digest = md5(content)",
    "create index chat_message_digest on chat_message (owner_id, digest)",
    "alter table chat_run drop constraint chat_run_kind",
    "alter table chat_run add constraint chat_run_kind check (kind in ('answer', 'summary', 'next'))",
  ].join(";\n--> statement-breakpoint\n"),
};

/** A database of an earlier schema, and what becomes of it. */
interface Case {
  readonly name: string;
  readonly schema: number;
  readonly before: DatabaseState;
  readonly after: DatabaseState;
  readonly durationMs: number;
}

interface Site {
  readonly copies: DatabaseCopies;
  readonly root: string;
  readonly known: readonly Migration[];
}

export const upgrades: Drill = {
  name: "upgrades",
  promise:
    "An upgrade that is killed at any moment costs nothing, and a backup was made before it.",
  unit: "kills",
  fullCount: 600,
  run: ({ count, seed, signal, say }) =>
    onSite(async (site) => {
      const random = new Random(seed);
      const earlier = site.known.length - 1;
      const broken: string[] = [];
      const figures = { "left as before": 0, "upgraded already": 0, "longest upgrade (ms)": 0 };
      const cases = new Map<string, Promise<Case>>();
      let kills = 0;
      const killInTurn = async () => {
        while (kills < count && !signal.aborted) {
          const n = kills++;
          const chance = random.next();
          const schema = 1 + (n % earlier);
          const owners = sizes[Math.floor(n / earlier) % sizes.length] ?? 1;
          const name = `schema_${schema}_owners_${owners}`;
          const making = cases.get(name) ?? makeCase(site, { name, schema, owners });
          cases.set(name, making);
          const tried = await making;
          const { problems, applied } = await killOne(site, tried, { n, chance });
          broken.push(...problems.map((problem) => `${name}, kill ${n}: ${problem}`));
          figures[applied === schema ? "left as before" : "upgraded already"]++;
          figures["longest upgrade (ms)"] = Math.max(
            figures["longest upgrade (ms)"],
            tried.durationMs,
          );
          if ((n + 1) % 50 === 0) say(`${n + 1} kills.`);
        }
      };
      await Promise.all(Array.from({ length: killsAtOnce }, killInTurn));
      return { broken, figures: { kills, ...figures } };
    }),
};

function onSite<Result>(act: (site: Site) => Promise<Result>): Promise<Result> {
  return withVersion({ added: [next], remark: "of a next version" }, async (root) => {
    const known = await readMigrations(root);
    return withDatabaseCopies((copies) => act({ copies, root, known }));
  });
}

async function makeCase(
  { copies, root, known }: Site,
  { name, schema, owners }: { name: string; schema: number; owners: number },
): Promise<Case> {
  const url = await copies.create(name);
  const before = await onDatabase(url, async (sql) => {
    const file = await openBackupFile(releasedBackup);
    await withVersion({ count: schema }, (earlier) => restoreBackup(sql, file, { root: earlier }));
    await file.close();
    await forgetSquashed(sql, known);
    await multiplyOwners(sql, owners - 1);
    return stateOf(sql);
  });
  const copy = `${name}_whole`;
  const copyUrl = await copies.create(copy, name);
  const start = performance.now();
  await upgrade(copyUrl, { root, dataDir: join(copies.folder, copy) });
  const durationMs = performance.now() - start;
  const after = await onDatabase(copyUrl, migratedState);
  await copies.drop(copy);
  return { name, schema, before, after, durationMs };
}

async function forgetSquashed(sql: Sql, known: readonly Migration[]): Promise<void> {
  const hashes = known.flatMap(({ hash, replaces }) => (replaces.length > 0 ? hash : []));
  await sql`delete from drizzle.__drizzle_migrations where hash = any (${hashes})`;
}

async function killOne(
  { copies, root, known }: Site,
  { name, schema, before, after, durationMs }: Case,
  { n, chance }: { n: number; chance: number },
): Promise<{ problems: string[]; applied: number }> {
  const copy = `${name}_${n}`;
  const url = await copies.create(copy, name);
  const dataDir = join(copies.folder, copy);
  await killedUpgrade(url, { root, dataDir, afterMs: chance * 1.2 * durationMs });
  const problems: string[] = [];
  const applied = await onDatabase(url, async (sql) => {
    const { length } = await appliedHashes(sql, known);
    if (length === schema) problems.push(...difference(before, await stateOf(sql), "left"));
    return length;
  });
  if (applied !== schema && applied !== known.length)
    problems.push(`It has ${applied} migrations.`);
  await upgrade(url, { root, dataDir });
  problems.push(...difference(after, await onDatabase(url, migratedState), "upgraded"));
  problems.push(...(await backupProblems(dataDir, schema)));
  await copies.drop(copy);
  return { problems, applied };
}

async function killedUpgrade(
  url: string,
  { root, dataDir, afterMs }: { root: string; dataDir: string; afterMs: number },
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const args = ["--import", "tsx", "lab/drill/upgrade-process.ts", url, dataDir, root];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.stdin.write("go\n");
  await Promise.race([delay(afterMs), ended]);
  child.kill("SIGKILL");
  await ended;
}

async function upgrade(
  databaseUrl: string,
  { root, dataDir }: { root: string; dataDir: string },
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const say = () => undefined;
  await upgradeDatabase({ projectDir: root, environment: {}, databaseUrl, dataDir, say });
}

function migratedState(sql: Sql): Promise<DatabaseState> {
  return stateOf(sql, { ignoresMadeAnew: true });
}

function difference(expected: DatabaseState, found: DatabaseState, what: string): string[] {
  const changed = differing(expected, found);
  return changed.length > 0 ? [`${what} with other ${changed.slice(0, 5).join(", ")}.`] : [];
}

async function backupProblems(dataDir: string, schema: number): Promise<string[]> {
  const place = dataFolderPlace(dataDir);
  const stored = await place.list();
  if (stored.length === 0) return ["There is no backup before the upgrade."];
  const problems: string[] = [];
  for (const { name } of stored) {
    const migrations = await place.open(name, async (path) => {
      const file = await openBackupFile(path);
      await file.close();
      return file.manifest.migrations.length;
    });
    if (migrations !== schema) problems.push(`${name} is of another schema.`);
  }
  return problems;
}
