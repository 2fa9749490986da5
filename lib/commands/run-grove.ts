import { setTimeout as delay } from "node:timers/promises";
import { connect } from "@/lib/postgres/connect";
import { Backoff } from "@/lib/postgres/embedded/backoff";
import { isBehind } from "@/lib/postgres/migrations";
import { ensureBuild } from "./ensure-build";
import {
  assertPortFree,
  loadFirstPage,
  type NextProcess,
  startNext,
  waitUntilHealthy,
} from "./next-process";
import { type Database, openDatabase } from "./open-database";
import {
  addressFor,
  type Environment,
  readStartSettings,
  StartError,
  type StartSettings,
} from "./start-settings";

export type Mode = "production" | "development";

export interface GroveOptions {
  mode: Mode;
  projectDir: string;
  environment: Environment;
  /** Stops the app, then the database. */
  signal: AbortSignal;
  say: (line: string) => void;
  hasTestOwners?: boolean;
}

interface Parts {
  settings: StartSettings;
  database: Database;
}

const healthyWithinMs = 180_000;
/** For the last writes after the drain, and for pages that hold a connection. */
const endingMs = 10_000;

/** Runs until `signal`. @throws {StartError} when Grove cannot start, or ends unexpectedly. */
export async function runGrove(options: GroveOptions): Promise<void> {
  const { projectDir, environment, mode, say, signal } = options;
  const read = readStartSettings(environment, { projectDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { settings } = read;

  await assertPortFree(settings);
  const database = await openDatabase(settings, say);
  try {
    await upgrade(options, { settings, database });
    if (mode === "production") await ensureBuild({ projectDir, environment, signal, say });
    if (!signal.aborted) await serve(options, { settings, database });
  } finally {
    await database.stop();
  }
}

/** Here, because a server has to answer in time, and a backup of a large database takes longer. */
async function upgrade(options: GroveOptions, { settings, database }: Parts): Promise<void> {
  const { projectDir } = options;
  const sql = connect(database.url, { max: 1 });
  const needed = await isBehind(sql, projectDir).finally(() => sql.end({ timeout: 1 }));
  if (!needed) return;
  // Loaded when needed, since the launcher stays in memory.
  const { upgradeDatabase } = await import("./upgrade-database");
  const { dataDir } = settings;
  await upgradeDatabase({ ...options, databaseUrl: database.url, dataDir });
}

/** Starts a server that dies again, with growing pauses, once it has been ready. */
async function serve(options: GroveOptions, parts: Parts): Promise<void> {
  const { signal, say } = options;
  const backoff = new Backoff();
  let starts = 0;
  const onReady = () => {
    starts++;
    say(`Grove is ${starts > 1 ? "ready again" : "ready"} at ${addressFor(parts.settings)}`);
  };
  while (!signal.aborted) {
    const end = await serveOnce(options, parts, onReady);
    if (end === null) return;
    if (starts === 0) throw new StartError(end);
    const pauseMs = backoff.next();
    say(`${end}\nIt is started again${pauseMs > 0 ? ` in ${pauseMs / 1_000} s` : ""}.`);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns how it ended, or `null` when it was asked to. @throws when the database failed. */
async function serveOnce(
  options: GroveOptions,
  { settings, database }: Parts,
  onReady: () => void,
): Promise<string | null> {
  const { mode, projectDir, signal } = options;
  const { host, port } = settings;
  const output = outputFor(mode);
  const next = startNext({
    projectDir,
    args: [mode === "production" ? "start" : "dev", "-p", String(port), "-H", host],
    env: serverEnvironment(options, { settings, database }),
    output: output.take,
    graceMs: settings.drainSeconds * 1_000 + endingMs,
  });
  try {
    const end = untilEnd(options, { next, database, output });
    const early = await Promise.race([end, untilUsable(options, { settings, output })]);
    if (signal.aborted) return null;
    if (early) return early;
    onReady();
    output.passOn();
    return await end;
  } finally {
    await next.stop();
  }
}

export function serverEnvironment(
  {
    environment,
    mode,
    hasTestOwners = false,
  }: Pick<GroveOptions, "environment" | "mode" | "hasTestOwners">,
  { settings, database }: { settings: StartSettings; database: Pick<Database, "url"> },
): NodeJS.ProcessEnv {
  return {
    ...environment,
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: "1",
    // `lib/server/shut-down.ts` ends the server; Next would exit in the middle of an answer.
    NEXT_MANUAL_SIG_HANDLE: mode === "production" ? "1" : "",
    GROVE_DRAIN_SECONDS: String(settings.drainSeconds),
    PORT: String(settings.port),
    HOST: settings.host,
    GROVE_DATA_DIR: settings.dataDir,
    DATABASE_URL: database.url,
    // Next would take a missing one from a file.
    GROVE_TEST_OWNERS: hasTestOwners ? "1" : "",
  };
}

function untilEnd(
  { signal }: GroveOptions,
  { next, database, output }: { next: NextProcess; database: Database; output: Output },
): Promise<string | null> {
  return new Promise((done, fail) => {
    signal.addEventListener("abort", () => done(null), { once: true });
    if (signal.aborted) done(null);
    next.ended.then(({ code, signal: killedBy }) => {
      const how = killedBy ? `killed by ${killedBy}` : `with code ${code}`;
      done(`The server ended unexpectedly, ${how}.\n${output.said()}`.trim());
    }, fail);
    database.failed.then(fail, fail);
  });
}

/** @returns a sentence when it does not become healthy. */
async function untilUsable(
  { mode }: GroveOptions,
  { settings, output }: { settings: StartSettings; output: Output },
): Promise<string | null> {
  const address = addressFor(settings);
  if (await waitUntilHealthy({ address, withinMs: healthyWithinMs })) {
    if (mode === "production") await loadFirstPage(address);
    return null;
  }
  return `The server at ${address} did not become healthy within ${healthyWithinMs / 1_000} s. Its output is above.\n${output.said()}`.trim();
}

interface Output {
  take(chunk: string): void;
  said(): string;
  passOn(): void;
}

/** Next's greeting names an address that may not be the one to open. */
function outputFor(mode: Mode): Output {
  let held = "";
  let passing = mode === "development";
  return {
    take(chunk) {
      if (passing) process.stdout.write(chunk);
      else held += chunk;
    },
    said: () => held,
    passOn() {
      passing = true;
      held = "";
    },
  };
}
