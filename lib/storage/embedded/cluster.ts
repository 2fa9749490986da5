import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { majorVersion } from "./binaries";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { giveTo, type Placement } from "./placement";
import { runProgram } from "./run-program";

/** TCP requires it, the private socket does not. */
const passwordFile = "postgres-password";

/**
 * Leaves a folder with other content alone.
 *
 * @throws {EmbeddedPostgresError} `other-version` or `not-a-database`.
 */
export async function ensureCluster(placement: Placement): Promise<void> {
  if (await isCluster(placement)) return;
  await createCluster(placement);
  await isCluster(placement);
}

export async function clusterPassword(folder: string): Promise<string> {
  return (await readFile(join(dirname(folder), passwordFile), "utf8")).trim();
}

/** Leaves a folder that another start still fills, for that start or the next. */
export async function removePartialClusters(folder: string): Promise<void> {
  const parent = dirname(folder);
  const partial = (await readdir(parent)).filter((name) => name.startsWith(partialPrefix(folder)));
  for (const name of partial) await removeUnlessFilled(join(parent, name));
}

async function removeUnlessFilled(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
  }
}

async function isCluster({ folder, binaries }: Placement): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return false;
  const version = await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => null);
  if (version === null) {
    throw new EmbeddedPostgresError(
      `${folder} holds files but no Postgres database, so nothing in it was touched. Move it away, or set GROVE_DATA_DIR to another folder.`,
      { code: "not-a-database" },
    );
  }
  if (version.trim() === majorVersion(binaries)) return true;
  throw new EmbeddedPostgresError(
    `The database in ${folder} was made by Postgres ${version.trim()} and this Grove brings Postgres ${majorVersion(binaries)}; nothing in it was touched. Run it with a Postgres ${version.trim()} of your own and set DATABASE_URL to that, or set GROVE_DATA_DIR to another folder.`,
    { code: "other-version" },
  );
}

async function createCluster(placement: Placement): Promise<void> {
  const { account, folder } = placement;
  // Renamed when complete, so that an interrupted start leaves nothing that looks complete.
  const partial = await mkdtemp(join(dirname(folder), partialPrefix(folder)));
  try {
    await giveTo(account, partial);
    await ensurePassword(placement);
    await initialise(placement, partial);
    await rmdir(folder).catch(() => undefined);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another start was quicker; the running server decides the owner.
    if (await isCluster(placement)) return;
    throw error;
  }
}

async function ensurePassword({ account, folder }: Placement): Promise<void> {
  const path = join(dirname(folder), passwordFile);
  try {
    await writeFile(path, randomBytes(24).toString("hex"), { mode: 0o600, flag: "wx" });
    await giveTo(account, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

async function initialise(placement: Placement, partial: string): Promise<void> {
  let failure = "";
  for (const locale of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    const args = initdbArguments(placement.folder, { partial, locale });
    const run = await runProgram(placement, "initdb", args);
    if (run.code === 0) return;
    failure = run.output;
    if (!/invalid locale/.test(failure)) break;
  }
  throw new EmbeddedPostgresError(`The database could not be created: ${failure}`, {
    code: "failed",
  });
}

function initdbArguments(
  folder: string,
  { partial, locale }: { partial: string; locale: string },
): string[] {
  return [
    `--pgdata=${partial}`,
    "--username=postgres",
    "--encoding=UTF8",
    // The built-in provider sorts the same on every system and version.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    // Libc classifies letters for the search parser; under plain C every non-ASCII sign would be one.
    `--lc-ctype=${locale}`,
    "--auth-local=trust",
    "--auth-host=scram-sha-256",
    `--pwfile=${join(dirname(folder), passwordFile)}`,
    "--no-instructions",
  ];
}

function partialPrefix(folder: string): string {
  return `${basename(folder)}.new-`;
}
