import { chmod, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A data folder accessible to Postgres' account, with a short path for sockets. */
export async function temporaryDataDir(): Promise<string> {
  const parent = process.platform === "win32" ? tmpdir() : "/tmp";
  const folder = await mkdtemp(join((await hasRoom(memory)) ? memory : parent, "grove-test-"));
  await chmod(folder, 0o711);
  return folder;
}

/** A disk takes half again as long, since each database is hundreds of files. */
const memory = "/dev/shm";
const roomNeeded = 8 * 2 ** 30;

async function hasRoom(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize >= roomNeeded;
}
