import type { ChildProcess } from "node:child_process";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { damaged } from "./copied-cluster";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { adminAddress, type Listen } from "./listen";
import type { Placement } from "./placement";
import { parsePostmasterPid, readPostmasterPid } from "./postmaster-pid";
import { probe } from "./probe";
import { runProgram, spawnProgram } from "./run-program";
import { type ServerSettings, serverArguments } from "./server-settings";

export interface Server {
  readonly pid: number | undefined;
  exited: Promise<void>;
  hasExited(): boolean;
  /** Makes no checkpoint: the next start recovers from the log. */
  kill(): void;
}

const unreadable =
  /checkpoint record|incompatible with server|could not open (file|directory) "|could not access (status|file)|invalid page|requested timeline|pg_control/;

export interface ServerOptions {
  listen: Listen;
  settings: ServerSettings;
}

/** Recovery replays the log since the last checkpoint: minutes on a slow disk. */
const readyWithinMs = 5 * 60_000;

/**
 * `null` when another server, or its leftover, has the folder.
 *
 * @throws {EmbeddedPostgresError} `failed`, with the server's output.
 */
export async function startServer(
  placement: Placement,
  options: ServerOptions,
): Promise<Server | null> {
  const log = await openLog(placement.folder);
  const args = serverArguments(placement.folder, options);
  try {
    const server = watch(spawnProgram(placement, "postgres", { args, output: log.fd }));
    if (await becomesReady(server, { placement, listen: options.listen })) return server;
    const endedItself = server.hasExited();
    if (!endedItself) await stopServer(placement);
    const said = await textOf(log);
    if (isTaken.test(said) || (endedItself && wasStopped.test(said))) return null;
    throw startFailure(said, placement);
  } finally {
    await log.close();
  }
}

const isTaken = /lock file .* already exists|shared memory block .* is still in use/;
/** A concurrent start stopped it. */
const wasStopped = /received \w+ shutdown request/;

function startFailure(said: string, { folder }: Placement): EmbeddedPostgresError {
  const reason = said.trim().split("\n").slice(-8).join("\n");
  if (unreadable.test(said)) return damaged(folder, { reason });
  return new EmbeddedPostgresError(`The database could not start:\n${reason}`, { code: "failed" });
}

/** Open statements are cut; nothing committed is lost. */
export async function stopServer(placement: Placement): Promise<void> {
  for (const mode of ["fast", "immediate"]) {
    const args = ["stop", "-D", placement.folder, "-m", mode, "-w", "-t", "30"];
    const run = await runProgram(placement, "pg_ctl", args).catch(() => null);
    if (!run || run.code === 0 || /PID file .* does not exist/.test(run.output)) return;
  }
}

function watch(child: ChildProcess): Server {
  let ended = false;
  const exited = new Promise<void>((done) => {
    const end = () => {
      ended = true;
      done();
    };
    child.once("error", end);
    child.once("exit", end);
  });
  const kill = () => void child.kill("SIGQUIT");
  return { pid: child.pid, exited, hasExited: () => ended, kill };
}

async function becomesReady(
  server: Server,
  { placement, listen }: { placement: Placement; listen: Listen },
): Promise<boolean> {
  const address = adminAddress(listen);
  const giveUpAt = Date.now() + readyWithinMs;
  while (!server.hasExited() && Date.now() < giveUpAt) {
    // Another server of the folder has the same address.
    if ((await probe(address)) === "answers" && (await isOf(server, placement))) return true;
    await delay(25);
  }
  return false;
}

async function isOf({ pid, hasExited }: Server, { folder }: Placement): Promise<boolean> {
  const text = await readPostmasterPid(folder);
  return !hasExited() && text !== null && parsePostmasterPid(text)?.pid === pid;
}

async function openLog(folder: string): Promise<FileHandle> {
  // The previous log explains a crash.
  await rename(logPath(folder), `${logPath(folder)}.previous`).catch(() => undefined);
  return open(logPath(folder), "w+", 0o600);
}

async function textOf(log: FileHandle): Promise<string> {
  const { size } = await log.stat();
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(size), position: 0 });
  return buffer.toString("utf8", 0, bytesRead);
}

function logPath(folder: string): string {
  return join(dirname(folder), "postgres.log");
}
