import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Backups of released versions, in order: the first schema is that of 0.1. */
export const releasedBackup = fileURLToPath(new URL("grove-0.1.zip", import.meta.url));

/** A folder with the first `count` migrations and no functions, as `root`; the caller removes it. */
async function earlierSchema(count: number): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "grove-schema-"));
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  await mkdir(join(root, "lib/postgres"), { recursive: true });
  const path = join(root, "drizzle/meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { entries: object[] };
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return root;
}

export async function withEarlierSchema<Result>(
  count: number,
  work: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await earlierSchema(count);
  return work(root).finally(() => rm(root, { recursive: true, force: true }));
}
