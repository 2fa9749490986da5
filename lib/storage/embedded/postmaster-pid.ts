import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface PostmasterPid {
  pid: number;
  port: number;
  /** `null` before the server listens, and on TCP alone. */
  socketDirectory: string | null;
  tcp: boolean;
}

/**
 * `null` when the file names no process, as after a crash while writing.
 *
 * @see https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export function parsePostmasterPid(text: string): PostmasterPid | null {
  const [pid, , , port, socketDirectory, tcpAddress] = text.split(/\r?\n/);
  if (!pid || !/^[1-9]\d*$/.test(pid)) return null;
  return {
    pid: Number(pid),
    port: Number(port) || 0,
    socketDirectory: socketDirectory || null,
    tcp: Boolean(tcpAddress),
  };
}

export async function readPostmasterPid(folder: string): Promise<string | null> {
  return readFile(pidFile(folder), "utf8").catch(() => null);
}

/**
 * Postgres takes any living process of its own account for a postmaster, except its parent. Deleting the stale file
 * would hide the old server's workers from the new one.
 */
export async function disownPostmasterPid(folder: string, text: string): Promise<void> {
  if (!parsePostmasterPid(text)) return rm(pidFile(folder), { force: true });
  await writeFile(pidFile(folder), text.replace(/^\d+/, String(process.pid)));
}

function pidFile(folder: string): string {
  return join(folder, "postmaster.pid");
}
