import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { clusterPassword } from "./cluster";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { adminAddress, type Listen } from "./listen";
import {
  disownPostmasterPid,
  type PostmasterPid,
  parsePostmasterPid,
  readPostmasterPid,
} from "./postmaster-pid";
import { probe, type ServerState } from "./probe";

const silentForMs = 15_000;

/**
 * Waits for a server that is shutting down, and disarms a stale `postmaster.pid`.
 *
 * @throws {EmbeddedPostgresError} `not-answering` when a server neither answers nor ends.
 */
export async function findLeftOver(folder: string): Promise<Listen | null> {
  const giveUpAt = Date.now() + silentForMs;
  let silent = 0;
  while (true) {
    const text = await readPostmasterPid(folder);
    if (text === null) return null;
    const left = parsePostmasterPid(text);
    const listen = left ? await listenOf(left, folder) : null;
    const state = listen ? await stateOf(listen) : "silent";
    if (listen && state === "answers") return listen;

    // A starting server writes this file in several steps.
    silent = state === "silent" && !(left && (await isServerOf(left.pid, folder))) ? silent + 1 : 0;
    if (silent > 1) {
      await disownPostmasterPid(folder, text);
      return null;
    }
    if (state === "silent" && Date.now() > giveUpAt) throw notAnswering(left, folder);
    await delay(100);
  }
}

export async function isServedBy(text: string, folder: string): Promise<boolean> {
  const left = parsePostmasterPid(text);
  return left !== null && (await isServerOf(left.pid, folder));
}

async function listenOf(left: PostmasterPid, folder: string): Promise<Listen | null> {
  const { port, socketDirectory } = left;
  if (socketDirectory) return { kind: "socket", directory: socketDirectory, port };
  if (!left.tcp) return null;
  return { kind: "tcp", port, password: await clusterPassword(folder) };
}

function stateOf(listen: Listen): Promise<ServerState> {
  return probe(adminAddress(listen));
}

function notAnswering(left: PostmasterPid | null, folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `A Postgres server (process ${left?.pid}) uses ${folder} but does not answer. Stop that process, then start Grove again.`,
    { code: "not-answering" },
  );
}

const run = promisify(execFile);

/** A process may have a reused pid. */
async function isServerOf(pid: number, folder: string): Promise<boolean> {
  if (!(await isPostgres(pid))) return false;
  if (process.platform !== "linux") return true;
  // A server's working directory is its data folder; if unreadable, its name decides.
  const current = await readlink(`/proc/${pid}/cwd`).catch(() => folder);
  return current === folder;
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    return /(^|\/)postgres/.test(await commandOf(pid));
  } catch {
    return false;
  }
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/comm`, "utf8");
  if (process.platform === "win32") {
    return (await run("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"])).stdout.replace(
      '"',
      "/",
    );
  }
  return (await run("ps", ["-o", "comm=", "-p", String(pid)])).stdout.trim();
}
