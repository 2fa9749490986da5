import type { ChildProcess } from "node:child_process";
import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { damaged } from "./copied-cluster";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { adminAddress, type Listen } from "./listen";
import type { Placement } from "./placement";
import { probe } from "./probe";
import { runProgram, spawnProgram } from "./run-program";
import { type ServerSettings, serverArguments } from "./server-settings";

export interface Server {
  exited: Promise<void>;
  hasExited(): boolean;
  /** Without a checkpoint: the next start recovers from the log. */
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
 * Waits until the server answers; `null` when another server, or its leftover, has the folder.
 *
 * @throws {EmbeddedPostgresError} `failed`, with the server's output.
 */
export async function startServer(
  placement: Placement,
  options: ServerOptions,
): Promise<Server | null> {
  const log = await openLog(placement.folder);
  const args = serverArguments(placement.folder, options);
  const server = watch(spawnProgram(placement, "postgres", { args, output: log.fd }));
  await log.close();
  if (await becomesReady(server, options.listen)) return server;

  if (!server.hasExited()) await stopServer(placement);
  const said = await readFile(logPath(placement.folder), "utf8").catch(() => "");
  if (/lock file .* already exists|shared memory block .* is still in use/.test(said)) return null;
  const reason = said.trim().split("\n").slice(-8).join("\n");
  if (unreadable.test(said)) throw damaged(placement.folder, { reason });
  throw new EmbeddedPostgresError(`The database could not start:\n${reason}`, { code: "failed" });
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
  return { exited, hasExited: () => ended, kill: () => void child.kill("SIGQUIT") };
}

async function becomesReady(server: Server, listen: Listen): Promise<boolean> {
  const address = adminAddress(listen);
  const giveUpAt = Date.now() + readyWithinMs;
  while (!server.hasExited() && Date.now() < giveUpAt) {
    if ((await probe(address)) === "answers") return !server.hasExited();
    await delay(25);
  }
  return false;
}

async function openLog(folder: string): Promise<FileHandle> {
  // The previous log explains a crash.
  await rename(logPath(folder), `${logPath(folder)}.previous`).catch(() => undefined);
  return open(logPath(folder), "w", 0o600);
}

function logPath(folder: string): string {
  return join(dirname(folder), "postgres.log");
}
