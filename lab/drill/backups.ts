import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "grove-session/postgres";
import { migrate } from "@/lib/postgres/migrate";
import { PostgresSessionStore } from "@/lib/postgres/postgres-session-store";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { restoreBackup } from "@/lib/storage/backup/restore-backup";
import {
  differing,
  fillDatabase,
  multiplyOwners,
  stateOf,
} from "@/lib/storage/backup/testing/database-state";
import { writeBackup } from "@/lib/storage/backup/write-backup";
import { Random } from "@/lib/text/testing/random";
import { type DatabaseCopies, onDatabase, withDatabaseCopies } from "./database-copies";
import type { Drill } from "./drill";

const root = process.cwd();
const groveVersion = "drill";
const damagesPerRound = 10;
/** Each adds about 350 KB of rows. */
const ownersPerRound = 15;

export const backups: Drill = {
  name: "backups",
  promise: "A backup made while others write restores every row, and a damaged one is refused.",
  unit: "backups",
  fullCount: 100,
  run: ({ count, seed, signal, say }) =>
    withDatabaseCopies(async (copies) => {
      const random = new Random(seed);
      const url = await copies.create("source");
      const broken: string[] = [];
      const figures = { "damaged files refused": 0, "messages while backing up": 0 };
      await onDatabase(url, async (sql) => {
        await migrate(sql);
        await fillDatabase(sql, { messages: 200 });
      });
      for (let n = 0; n < count; n++) {
        signal.throwIfAborted();
        const path = join(copies.folder, "round.zip");
        const written = await onDatabase(url, (sql) => backUpUnderWrites(sql, path));
        figures["messages while backing up"] += written.during;
        broken.push(...(await missingRows(copies, { path, ...written })));
        const damaged = await damageFile(path, random);
        figures["damaged files refused"] += damagesPerRound;
        broken.push(...damaged.map((problem) => `Round ${n}: ${problem}`));
        if ((n + 1) % 20 === 0) say(`${n + 1} backups.`);
      }
      return {
        broken,
        figures: { ...figures, ...(await timeOne(copies, { url, count, broken })) },
      };
    }),
};

interface Written {
  readonly before: readonly string[];
  readonly during: number;
}

async function backUpUnderWrites(sql: Sql, path: string): Promise<Written> {
  const store = new PostgresSessionStore(sql, "writer");
  const { id } = await store.sessions.create("Written to");
  const append = async () => {
    const message = { id: crypto.randomUUID(), role: "user" as const };
    await store.messages(id).appendMessage({ ...message, parts: [{ type: "text", text: "More" }] });
    return message.id;
  };
  const before = [await append(), await append(), await append()];
  const stop = new AbortController();
  const writing = (async () => {
    let written = 0;
    while (!stop.signal.aborted) {
      await append();
      written++;
    }
    return written;
  })();
  await writeBackup(sql, { path, root, groveVersion }).finally(() => stop.abort());
  return { before, during: await writing };
}

async function missingRows(
  copies: DatabaseCopies,
  { path, before }: Written & { path: string },
): Promise<string[]> {
  const url = await copies.create("target");
  const missing = await onDatabase(url, async (sql) => {
    await restoreFile(sql, path);
    const [found] = await sql<{ kept: number; different: number }[]>`
      select
        (select count(*)::integer from chat_message where id = any (${before})) as kept,
        (select count(*)::integer from chat_session session
         where owner_id = 'writer' and message_count <> (
           select count(*) from chat_message message
           where message.owner_id = session.owner_id and message.session_id = session.session_id
         )) as different`;
    return [
      ...(found?.kept === before.length
        ? []
        : [`${found?.kept} of ${before.length} messages kept.`]),
      ...(found?.different === 0 ? [] : [`${found?.different} chats are not of one moment.`]),
    ];
  });
  await copies.drop("target");
  return missing;
}

async function restoreFile(sql: Sql, path: string, replace = false): Promise<void> {
  const file = await openBackupFile(path);
  await restoreBackup(sql, file, { root, replace }).finally(() => file.close());
}

/** @returns a sentence for each damaged file that was not refused. */
async function damageFile(path: string, random: Random): Promise<string[]> {
  const bytes = await readFile(path);
  const accepted: string[] = [];
  for (let n = 0; n < damagesPerRound; n++) {
    const at = random.below(bytes.length);
    const { name, damaged } = damage(bytes, { at, kind: random.below(4) });
    const copy = `${path}.damaged`;
    await writeFile(copy, damaged);
    const opened = await openBackupFile(copy).catch((error: unknown) => error);
    if (opened instanceof BackupError) continue;
    accepted.push(`A file with ${name} at byte ${at} was accepted: ${String(opened)}`);
  }
  return accepted;
}

function damage(bytes: Buffer, { at, kind }: { at: number; kind: number }) {
  const damaged = Buffer.from(bytes);
  damaged[at] = (bytes[at] ?? 0) ^ 1;
  if (kind === 1) return { name: "its end missing", damaged: bytes.subarray(0, at) };
  if (kind === 2)
    return {
      name: "a byte missing",
      damaged: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
    };
  if (kind === 3)
    return {
      name: "a byte added",
      damaged: Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]),
    };
  return { name: "a bit flipped", damaged };
}

async function timeOne(
  copies: DatabaseCopies,
  { url, count, broken }: { url: string; count: number; broken: string[] },
): Promise<Record<string, number>> {
  const path = join(copies.folder, "large.zip");
  const [before, gigabytes, backupMs] = await onDatabase(url, async (sql) => {
    await multiplyOwners(sql, count * ownersPerRound);
    const [size] = await sql<{ bytes: number }[]>`
      select pg_database_size(current_database())::float8 as bytes`;
    const start = performance.now();
    await writeBackup(sql, { path, root, groveVersion });
    const ms = performance.now() - start;
    return [await stateOf(sql), (size?.bytes ?? 0) / 1e9, ms] as const;
  });
  const restoreMs = await onDatabase(await copies.create("large"), async (sql) => {
    await migrate(sql);
    await fillDatabase(sql, { messages: 3 });
    const start = performance.now();
    await restoreFile(sql, path, true);
    const ms = performance.now() - start;
    const changed = differing(before, await stateOf(sql));
    broken.push(...changed.map((name) => `${name} differs after the restore.`));
    return ms;
  });
  const file = await open(path, "r");
  const { size } = await file.stat().finally(() => file.close());
  return {
    "database (GB)": gigabytes,
    "file (MB)": size / 1e6,
    "backup (minutes per GB)": backupMs / 60_000 / gigabytes,
    "restore (minutes per GB)": restoreMs / 60_000 / gigabytes,
  };
}
