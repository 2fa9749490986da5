import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { dataFolderPlace } from "@/lib/backups/backup-settings";
import { Random } from "@/lib/bench/random";
import { upgradeDatabase } from "@/lib/commands/upgrade-database";
import { openBackupFile } from "@/lib/postgres/backup/backup-file";
import { restoreBackup } from "@/lib/postgres/backup/restore-backup";
import {
  type DatabaseState,
  multiplyOwners,
  stateOf,
} from "@/lib/postgres/backup/testing/database-state";
import { releasedBackup, withEarlierSchema } from "@/lib/postgres/backup/testing/schema-version";
import { appliedHashes, readMigrations } from "@/lib/postgres/migrations";
import { type DatabaseCopies, onDatabase, withDatabaseCopies } from "./database-copies";
import type { Drill } from "./drill";

/** Owners with the same 113 messages and what belongs to them. */
const sizes = [1, 10, 50];
const killsAtOnce = 3;
const root = process.cwd();

/** A database of an earlier schema, and what becomes of it. */
interface Case {
  readonly name: string;
  readonly schema: number;
  readonly before: DatabaseState;
  readonly after: DatabaseState;
  readonly durationMs: number;
}

export const upgrades: Drill = {
  name: "upgrades",
  promise:
    "An upgrade that is killed at any moment costs nothing, and a backup was made before it.",
  unit: "kills",
  // Twenty and more for each of nine schemas and three sizes.
  fullCount: 600,
  run: ({ count, seed, signal, say }) =>
    withDatabaseCopies(async (copies) => {
      const random = new Random(seed);
      const migrations = await readMigrations(root);
      const earlier = migrations.length - 1;
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
          const making = cases.get(name) ?? makeCase(copies, { name, schema, owners });
          cases.set(name, making);
          const tried = await making;
          const { problems, applied } = await killOne(copies, tried, { n, chance });
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

async function makeCase(
  copies: DatabaseCopies,
  { name, schema, owners }: { name: string; schema: number; owners: number },
): Promise<Case> {
  const url = await copies.create(name);
  const before = await onDatabase(url, async (sql) => {
    const file = await openBackupFile(releasedBackup);
    await withEarlierSchema(schema, (earlier) => restoreBackup(sql, file, { root: earlier }));
    await file.close();
    await multiplyOwners(sql, owners - 1);
    return stateOf(sql);
  });
  const copy = `${name}_whole`;
  const copyUrl = await copies.create(copy, name);
  const start = performance.now();
  await upgrade(copyUrl, join(copies.folder, copy));
  const durationMs = performance.now() - start;
  const after = await onDatabase(copyUrl, migratedState);
  await copies.drop(copy);
  return { name, schema, before, after, durationMs };
}

async function killOne(
  copies: DatabaseCopies,
  { name, schema, before, after, durationMs }: Case,
  { n, chance }: { n: number; chance: number },
): Promise<{ problems: string[]; applied: number }> {
  const copy = `${name}_${n}`;
  const url = await copies.create(copy, name);
  const dataDir = join(copies.folder, copy);
  await killedUpgrade(url, { dataDir, afterMs: chance * 1.2 * durationMs });
  const problems: string[] = [];
  const applied = await onDatabase(url, async (sql) => {
    const { length } = await appliedHashes(sql);
    if (length === schema) problems.push(...difference(before, await stateOf(sql), "left"));
    return length;
  });
  const known = (await readMigrations(root)).length;
  if (applied !== schema && applied !== known) problems.push(`It has ${applied} migrations.`);
  await upgrade(url, dataDir);
  problems.push(...difference(after, await onDatabase(url, migratedState), "upgraded"));
  problems.push(...(await backupProblems(dataDir, schema)));
  await copies.drop(copy);
  return { problems, applied };
}

async function killedUpgrade(
  url: string,
  { dataDir, afterMs }: { dataDir: string; afterMs: number },
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const args = ["--import", "tsx", "lib/drill/upgrade-process.ts", url, dataDir];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.stdin.write("go\n");
  await Promise.race([delay(afterMs), ended]);
  child.kill("SIGKILL");
  await ended;
}

async function upgrade(databaseUrl: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const say = () => undefined;
  await upgradeDatabase({ projectDir: root, environment: {}, databaseUrl, dataDir, say });
}

function migratedState(sql: Parameters<typeof stateOf>[0]): Promise<DatabaseState> {
  return stateOf(sql, { ignoresMadeAnew: true });
}

function difference(expected: DatabaseState, found: DatabaseState, what: string): string[] {
  const flat = (state: DatabaseState) => ({
    ...state.rows,
    ...state.sequences,
    ...state.definitions,
  });
  const [left, right] = [flat(expected), flat(found)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const changed = names.filter((name) => left[name] !== right[name]);
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
