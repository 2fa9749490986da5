import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { identifier } from "@/lib/postgres/start";
import { Backoff } from "./backoff";
import { ensureCluster, removePartialClusters } from "./cluster";
import { assertReadable, completeCopy, copiedFrom, forgetServer } from "./copied-cluster";
import { DiskGuard } from "./disk-guard";
import { EmbeddedPostgresError } from "./embedded-postgres-error";
import { type Hold, isHeld, takeHold } from "./hold";
import { findLeftOver, isServedBy } from "./left-over";
import {
  addressOf,
  adminAddress,
  chooseListen,
  defaultTransport,
  forgetListen,
  type Listen,
  type Transport,
} from "./listen";
import { clusterFolder, type Placement, placeCluster } from "./placement";
import { readPostmasterPid } from "./postmaster-pid";
import { connectOnce } from "./probe";
import { pidIn } from "./process-name";
import { type Server, startServer, stopServer } from "./server";
import type { ServerSettings } from "./server-settings";

export interface EmbeddedPostgresOptions {
  dataDir: string;
  fallbackDir?: string;
  settings?: ServerSettings;
  transport?: Transport;
  log?: (line: string) => void;
  /** Keeps 48 MiB of the disk in reserve, for reading when it is full. */
  guardsDisk?: boolean;
}

export interface EmbeddedPostgres {
  /** The application's address, as its database's owner, not a superuser. */
  url: string;
  adminUrl: string;
  /** Resolves when a crashed server could not be restarted. */
  failed: Promise<EmbeddedPostgresError>;
  stop(): Promise<void>;
}

interface Cluster {
  placement: Placement;
  listen: Listen;
  settings: ServerSettings;
  log: (line: string) => void;
  guard: DiskGuard | null;
}

interface Running {
  server: Server;
  hold: Hold;
}

const wayClearWithinMs = 30_000;

/**
 * Replaces the server of a killed Grove, but not of a living one. @throws {EmbeddedPostgresError} when it cannot run,
 * with the reason and a next step.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { settings = {}, log = () => undefined, transport = defaultTransport } = options;
  const placement = await placeCluster({ ...options, log });
  await ensureCluster(placement);
  await completeCopy(placement);
  const original = await originalOf(placement);
  const listen = await chooseListen(placement, transport);
  const adminUrl = adminAddress(listen);
  const guard = options.guardsDisk ? new DiskGuard({ placement, adminUrl, log }) : null;
  const cluster: Cluster = { placement, listen, settings, log, guard };
  try {
    const running = await run(cluster);
    await removePartialClusters(placement.folder);
    const url = await ensureApplicationDatabase(listen);
    if (original) await checkCopy(url, { original, cluster });
    return { url, adminUrl, ...supervise(cluster, running) };
  } catch (error) {
    await forgetListen(listen, placement.folder);
    throw error;
  }
}

/** `null` when no server answers. */
export async function runningEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const listen = await findLeftOver(await clusterFolder(resolve(dataDir)));
  return listen && addressOf(listen, { user: name, database: name });
}

function supervise(cluster: Cluster, first: Running): Pick<EmbeddedPostgres, "failed" | "stop"> {
  let current = Promise.resolve(first);
  let stopped: Promise<void> | undefined;
  const backoff = new Backoff();
  const stopping = new AbortController();

  async function keepRunning(): Promise<EmbeddedPostgresError> {
    while (true) {
      const { server, hold } = await current;
      await server.exited;
      if (stopping.signal.aborted) return new Promise(() => undefined);
      await hold.release();
      cluster.log("The database ended unexpectedly and is started again.");
      current = restart(cluster, { backoff, signal: stopping.signal });
    }
  }

  return {
    failed: keepRunning().catch(asFailure),
    stop: () => {
      stopping.abort();
      stopped ??= current.then(
        (running) => end(cluster, running),
        () => undefined,
      );
      return stopped;
    },
  };
}

/** A full disk, or short memory, may pass. @throws when another server has the folder. */
async function restart(
  cluster: Cluster,
  { backoff, signal }: { backoff: Backoff; signal: AbortSignal },
): Promise<Running> {
  while (true) {
    await delay(backoff.next(), undefined, { signal });
    try {
      return await run(cluster);
    } catch (error) {
      const mayPass = error instanceof EmbeddedPostgresError && error.code === "failed";
      if (!mayPass || signal.aborted) throw error;
      cluster.log(`${error.message}\nIt is tried again.`);
    }
  }
}

async function end(cluster: Cluster, { server, hold }: Running): Promise<void> {
  const { placement, listen, guard } = cluster;
  await guard?.stop();
  // Held to the end, so that a concurrent start waits or refuses.
  await stopServer(placement);
  // Deleting the data folder of a running server removes its socket, too.
  if (!server.hasExited()) server.kill();
  await server.exited;
  await hold.release();
  await forgetListen(listen, placement.folder);
}

async function run(cluster: Cluster): Promise<Running> {
  const giveUpAt = Date.now() + wayClearWithinMs;
  while (true) {
    try {
      const running = await startAndHold(cluster);
      if (running) return running;
      if (Date.now() > giveUpAt) throw occupied(cluster.placement.folder);
    } catch (error) {
      // Any other failure is a connection cut by a concurrent start that replaces servers.
      if (error instanceof EmbeddedPostgresError || Date.now() > giveUpAt) throw error;
    }
    await delay(200);
  }
}

async function startAndHold(cluster: Cluster): Promise<Running | null> {
  const { placement, listen, guard } = cluster;
  await replaceLeftOver(cluster);
  await guard?.makeSpace();
  const server = await startServer(placement, cluster);
  if (!server) return null;
  // A concurrent start that took our server replaces it.
  const hold = await takeHold(adminAddress(listen), placement.folder);
  await guard?.watch();
  return { server, hold };
}

/** A copied folder's `postmaster.pid` names the server of the original, which must not be touched. */
async function originalOf({ folder }: Placement): Promise<string | null> {
  const original = await copiedFrom(folder);
  const text = original && (await readPostmasterPid(folder));
  if (!text || (await isServedBy(text, folder))) return null;
  await forgetServer(folder);
  return original;
}

async function checkCopy(
  url: string,
  { original, cluster }: { original: string; cluster: Cluster },
): Promise<void> {
  const { folder } = cluster.placement;
  const sql = connectOnce(url);
  try {
    await assertReadable(sql, folder);
  } catch (error) {
    await stopServer(cluster.placement);
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
  cluster.log(
    `${folder} is a copy of ${original}, made while a database ran there. It was recovered and can be read; what was written there while it was copied may be missing.`,
  );
}

async function replaceLeftOver({ placement, log }: Cluster): Promise<void> {
  const left = await findLeftOver(placement.folder);
  if (!left) return;
  await waitForItsGrove(left);
  const hold = await takeHold(adminAddress(left), placement.folder);
  log("A database server left by an earlier start is replaced.");
  await stopServer(placement);
  await hold.release();
  await forgetListen(left, placement.folder);
}

const heldWithinMs = 10_000;

/** Of two starts that each replaced the other's server, neither would end. */
async function waitForItsGrove(left: Listen): Promise<void> {
  const sql = connectOnce(adminAddress(left));
  try {
    while (await mayStillBeHeld(sql)) await delay(100);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function mayStillBeHeld(sql: Sql): Promise<boolean> {
  const [served] = await sql<{ name: string; ms: number }[]>`
    select current_setting('cluster_name') as name,
      extract(epoch from now() - backend_start)::float * 1000 as ms
    from pg_stat_activity where backend_type = 'walwriter'`;
  if (!served || served.ms > heldWithinMs || (await isHeld(sql))) return false;
  const starter = pidIn(served.name);
  return starter !== null && isAlive(starter);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function occupied(folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another Postgres uses ${folder}. Stop it, or set GROVE_DATA_DIR to another folder.`,
    { code: "in-use" },
  );
}

function asFailure(cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  return new EmbeddedPostgresError("The database could not be started again.", {
    code: "failed",
    cause,
  });
}

const name = "grove";

/** The role owns only its database, so a faulty statement cannot reach files or programs. */
async function ensureApplicationDatabase(listen: Listen): Promise<string> {
  const sql = connectOnce(adminAddress(listen));
  try {
    await ensureRole(sql, listen);
    const [found] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${identifier(name)} owner ${identifier(name)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
  return addressOf(listen, { user: name, database: name });
}

async function ensureRole(sql: Sql, listen: Listen): Promise<void> {
  const [found] = await sql`select 1 from pg_roles where rolname = ${name}`;
  if (!found) await sql`create role ${identifier(name)} login`;
  if (listen.kind === "tcp") {
    // A password cannot be a parameter here; it is our own hexadecimal.
    await sql.unsafe(`alter role ${name} password '${listen.password}'`);
  }
}
