import { spawnSync } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Account, chooseAccount, isRoot } from "./account";
import { type Binaries, findBinaries, programPath } from "./binaries";
import { EmbeddedPostgresError } from "./embedded-postgres-error";

export interface Placement {
  account: Account;
  binaries: Binaries;
  folder: string;
}

export interface PlacementOptions {
  dataDir: string;
  fallbackDir?: string;
  log: (line: string) => void;
}

/**
 * Postgres cannot enter /root, so under root the database and programs go elsewhere, with a link in its place. @throws
 * {EmbeddedPostgresError} `unreachable` when no such place is known.
 */
export async function placeCluster(options: PlacementOptions): Promise<Placement> {
  const dataDir = resolve(options.dataDir);
  await makeFolder(dataDir);
  const wanted = await clusterFolder(dataDir);
  const account = await chooseAccount(wanted);
  const found = await findBinaries();
  if (!account) return { account, binaries: found, folder: wanted };

  const folder = canEnter(account, dirname(wanted))
    ? wanted
    : await relocate(wanted, account, options);
  return { account, folder, binaries: await reachableBinaries(found, account, dirname(folder)) };
}

export async function giveTo(account: Account, path: string): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

async function makeFolder(folder: string): Promise<void> {
  // Postgres' account must pass through root's folder; other folders are private.
  const created = await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  if (created && isRoot()) await chmod(folder, 0o711);
}

export function clusterFolder(dataDir: string): Promise<string> {
  return followLink(join(dataDir, "postgres"));
}

async function followLink(path: string): Promise<string> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch {
    return path;
  }
}

async function relocate(
  wanted: string,
  account: NonNullable<Account>,
  { fallbackDir, log }: PlacementOptions,
): Promise<string> {
  const problem = `Postgres runs as the user ${account.name}, who cannot enter ${dirname(wanted)}`;
  if (!fallbackDir) {
    throw new EmbeddedPostgresError(
      `${problem}. Set GROVE_DATA_DIR to a folder that everybody may pass through, such as /var/lib/grove, or start Grove as an ordinary user.`,
      { code: "unreachable" },
    );
  }
  const folder = join(resolve(fallbackDir), "postgres");
  await makeFolder(dirname(folder));
  if (!canEnter(account, dirname(folder))) {
    throw new EmbeddedPostgresError(`${problem}, nor ${dirname(folder)}.`, { code: "unreachable" });
  }
  await linkTo(folder, wanted);
  log(`${problem}: the database is kept in ${folder}.`);
  return folder;
}

async function linkTo(folder: string, wanted: string): Promise<void> {
  try {
    await symlink(folder, wanted);
  } catch (cause) {
    // An empty start beside an unreachable database would look like data loss.
    throw new EmbeddedPostgresError(
      `${wanted} already exists but Postgres' account cannot enter it. Move it to a folder that everybody may pass through and set GROVE_DATA_DIR to that.`,
      { code: "unreachable", cause },
    );
  }
}

export async function reachableBinaries(
  binaries: Binaries,
  account: NonNullable<Account>,
  location: string,
): Promise<Binaries> {
  if (canEnter(account, programPath(binaries, "postgres"))) return binaries;
  const native = join(location, `postgres-${binaries.version}`);
  const copy = { ...binaries, native };
  if (canEnter(account, programPath(copy, "postgres"))) return copy;

  // The rename keeps an interrupted start from looking complete.
  const partial = await mkdtemp(`${native}.new-`);
  try {
    await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
    await chmod(partial, 0o755);
    await rename(partial, native);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another start was quicker.
    if (!canEnter(account, programPath(copy, "postgres"))) throw error;
  }
  return copy;
}

/** Tried out, because modes do not decide alone (access lists, mounts, containers). */
function canEnter({ uid, gid }: NonNullable<Account>, path: string): boolean {
  const options = { uid, gid, cwd: "/", stdio: "ignore" } as const;
  return spawnSync("/bin/sh", ["-c", 'test -x "$0"', path], options).status === 0;
}
