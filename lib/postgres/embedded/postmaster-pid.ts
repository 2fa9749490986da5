import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a running server writes into `postmaster.pid` about itself. */
export interface PostmasterPid {
  pid: number;
  port: number;
  /** `null` while the server is not listening yet, and when it listens on TCP alone. */
  socketDirectory: string | null;
  tcp: boolean;
}

/**
 * Reads the text of `postmaster.pid`; `null` when it names no process, as after a crash in mid-write.
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

/** The text of the data folder's `postmaster.pid`; `null` when there is none. */
export async function readPostmasterPid(folder: string): Promise<string | null> {
  return readFile(pidFile(folder), "utf8").catch(() => null);
}

/**
 * Makes a `postmaster.pid` whose process is a stranger harmless.
 *
 * A server believes any living process of its own account to be a postmaster, except its own parent. So the file gets
 * our number rather than being deleted: its last lines let the new server see whether workers of the old one live on.
 */
export async function disownPostmasterPid(folder: string, text: string): Promise<void> {
  if (!parsePostmasterPid(text)) return rm(pidFile(folder), { force: true });
  await writeFile(pidFile(folder), text.replace(/^\d+/, String(process.pid)));
}

function pidFile(folder: string): string {
  return join(folder, "postmaster.pid");
}
