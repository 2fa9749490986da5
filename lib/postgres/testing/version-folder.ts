import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readMigrations } from "../migrations";

/** The ten migrations of 0.1.0, which the first one replaces. */
export const released = "lib/postgres/testing/grove-0.1";
export const releasedBackup = "lib/storage/backup/testing/grove-0.1.zip";

interface Version {
  readonly from?: string;
  /** The first migrations, of both lists; default: all. */
  readonly count?: number;
  readonly added?: readonly { tag: string; text: string; when?: number }[];
  /** The library without an application. */
  readonly isAlone?: boolean;
  /** A comment on a function, which makes its functions others. */
  readonly remark?: string;
}

const applications = "lib/storage/migrations";
const journalSchema = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) });
const later = Date.UTC(2100, 0);

/** Calls `work` with a folder of another version of Grove, as `root`, and removes it. */
export async function withVersion<Result>(
  version: Version,
  work: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), "grove-version-"));
  return fill(root, version)
    .then(() => work(root))
    .finally(() => rm(root, { recursive: true, force: true }));
}

async function fill(
  root: string,
  { from = "drizzle", count, added = [], isAlone = false, remark }: Version,
): Promise<void> {
  await cp(from, join(root, "drizzle"), { recursive: true });
  const filter = (path: string) => !/\.tsx?$/.test(path);
  for (const folder of isAlone ? ["lib/postgres"] : ["lib/postgres", "lib/storage"])
    await cp(folder, join(root, folder), { recursive: true, filter });
  if (from === released) await rm(join(root, applications), { recursive: true, force: true });
  const kept = (await readMigrations(root)).slice(0, count);
  if (!kept.some(({ list }) => list === "application"))
    await rm(join(root, applications), { recursive: true, force: true });
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = journalSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const entries: object[] = journal.entries.slice(
    0,
    kept.filter(({ list }) => list === "library").length,
  );
  for (const { tag, text, when = later } of added) {
    entries.push({ idx: entries.length, version: "7", when, tag, breakpoints: true });
    await writeFile(join(root, `drizzle/${tag}.sql`), text);
  }
  await writeFile(path, JSON.stringify({ ...journal, entries }));
  const path01 = join(root, "lib/postgres/tree/01-path.sql");
  if (remark)
    await appendFile(path01, `comment on function chat_open(text, text) is '${remark}';\n`);
}
