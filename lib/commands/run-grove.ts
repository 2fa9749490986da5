import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect, isBehind } from "@/lib/postgres/start";
import { settingRemarks } from "@/lib/server/settings/read-settings";
import { Backoff } from "@/lib/storage/embedded/backoff";
import { ensureBuild } from "./ensure-build";
import {
  assertPortFree,
  loadFirstPage,
  type NextProcess,
  startNext,
  waitUntilHealthy,
} from "./next-process";
import { type OpenDatabase, openDatabase } from "./open-database";
import {
  addressFor,
  type Environment,
  readStartSettings,
  readySentence,
  StartError,
  type StartSettings,
} from "./start-settings";
import { StartSteps, seconds, type Terminal } from "./start-steps";

export type Mode = "production" | "development";

export interface GroveOptions {
  mode: Mode;
  projectDir: string;
  workDir?: string;
  environment: Environment;
  signal: AbortSignal;
  say: (line: string) => void;
  terminal?: Terminal;
  hasTestOwners?: boolean;
}

interface GroveParts {
  settings: StartSettings;
  database: OpenDatabase;
  steps: StartSteps;
  startedAt: number;
}

const healthyWithinMs = 180_000;
const endingMs = 10_000;

export async function runGrove(options: GroveOptions): Promise<void> {
  const { projectDir, workDir = projectDir, environment, mode, signal } = options;
  const startedAt = Date.now();
  const read = readStartSettings(environment, { projectDir: workDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { settings } = read;
  for (const remark of settingRemarks(environment)) options.say(remark);

  await assertPortFree(settings);
  await assertWritable(settings.dataDir);
  const steps = new StartSteps(options.say, options.terminal);
  const step = settings.databaseUrl
    ? { doing: "Connecting to Postgres", done: "Connected to Postgres" }
    : { doing: "Starting Postgres", done: "Started Postgres" };
  const database = await steps.take(step, () => openDatabase(settings, steps.say));
  const parts = { settings, database, steps, startedAt };
  try {
    await upgrade(options, parts);
    if (mode === "production" && !isPacked(projectDir))
      await ensureBuild({ projectDir, environment, signal, say: steps.say, steps });
    if (!signal.aborted) await serve(options, parts);
  } finally {
    await database.stop();
  }
}

function isPacked(projectDir: string): boolean {
  return existsSync(join(projectDir, "server.js"));
}

/** The server has to answer in time, and backing up a large database takes longer. */
async function upgrade(
  options: GroveOptions,
  { settings, database, steps }: GroveParts,
): Promise<void> {
  const { projectDir } = options;
  const sql = connect(database.url, { max: 1 });
  const needed = await isBehind(sql, projectDir).finally(() => sql.end({ timeout: 1 }));
  if (!needed) return;
  // Loaded when needed, since the launcher stays in memory.
  const { upgradeDatabase } = await import("./upgrade-database");
  const { dataDir } = settings;
  const step = { doing: "Preparing the database", done: "Prepared the database" };
  await steps.take(step, () =>
    upgradeDatabase({ ...options, say: steps.say, databaseUrl: database.url, dataDir }),
  );
}

async function serve(options: GroveOptions, parts: GroveParts): Promise<void> {
  const { signal, say } = options;
  const backoff = new Backoff();
  let starts = 0;
  const onReady = () => {
    starts++;
    if (starts === 1) say(`Started in ${seconds(Date.now() - parts.startedAt)}.`);
    say(`Grove is ${starts > 1 ? "ready again" : "ready"} at ${readySentence(parts.settings)}`);
  };
  while (!signal.aborted) {
    const end = await serveOnce(options, parts, { onReady, isFirst: starts === 0 });
    if (end === null) return;
    if (starts === 0) throw new StartError(end);
    const pauseMs = backoff.next();
    say(`${end}\nIt is started again${pauseMs > 0 ? ` in ${pauseMs / 1_000} s` : ""}.`);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function serveOnce(
  options: GroveOptions,
  { settings, database, steps }: GroveParts,
  { onReady, isFirst }: { onReady: () => void; isFirst: boolean },
): Promise<string | null> {
  const { mode, projectDir, signal } = options;
  const output = outputFor(mode);
  const next = startNext({
    projectDir,
    args: serverArguments(mode, settings),
    env: serverEnvironment(options, { settings, database }),
    output: output.take,
    graceMs: settings.drainSeconds * 1_000 + endingMs,
  });
  try {
    const end = untilEnd(options, { next, database, output });
    const usable = untilUsable(options, { settings, output });
    const ready = Promise.race([end, usable]);
    const step = { doing: "Starting the server", done: "Started the server" };
    const early = await (isFirst ? steps.take(step, () => ready) : ready);
    if (signal.aborted) return null;
    if (early) return early;
    onReady();
    output.passOn();
    return await end;
  } finally {
    await next.stop();
  }
}

/** Proxies keep idle connections for a minute: the side that closes first may cut off a request. */
const keepAliveMs = 75_000;

export function serverArguments(
  mode: Mode,
  { host, port }: Pick<StartSettings, "host" | "port">,
): string[] {
  const place = ["-p", String(port), "-H", host];
  if (mode === "development") return ["dev", ...place];
  return ["start", ...place, "--keepAliveTimeout", String(keepAliveMs)];
}

export function serverEnvironment(
  {
    environment,
    mode,
    hasTestOwners = false,
  }: Pick<GroveOptions, "environment" | "mode" | "hasTestOwners">,
  { settings, database }: { settings: StartSettings; database: Pick<OpenDatabase, "url"> },
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
    // The launcher itself uses the address without a pooler.
    DATABASE_URL: settings.databaseUrl ?? database.url,
    // Next would take a missing variable from a file.
    GROVE_TEST_OWNERS: hasTestOwners ? "1" : "",
  };
}

function untilEnd(
  { signal }: GroveOptions,
  { next, database, output }: { next: NextProcess; database: OpenDatabase; output: ServerOutput },
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

async function untilUsable(
  { mode }: GroveOptions,
  { settings, output }: { settings: StartSettings; output: ServerOutput },
): Promise<string | null> {
  const address = addressFor(settings);
  if (await waitUntilHealthy({ address, withinMs: healthyWithinMs })) {
    if (mode === "production") await loadFirstPage(address, settings.origin);
    return null;
  }
  return `The server at ${address} did not become healthy within ${healthyWithinMs / 1_000} s. Its output is above.\n${output.said()}`.trim();
}

interface ServerOutput {
  take(chunk: string): void;
  said(): string;
  passOn(): void;
}

/** Next's greeting names an address that may not be the one to open. */
function outputFor(mode: Mode): ServerOutput {
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

/** Makes nothing: another account may create the folder later. */
async function assertWritable(dataDir: string): Promise<void> {
  let folder = dataDir;
  for (;;) {
    const failure = await access(folder, constants.W_OK | constants.X_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure === null) return;
    if (failure.code !== "ENOENT" || folder === dirname(folder))
      throw notWritable(dataDir, failure);
    folder = dirname(folder);
  }
}

function notWritable(dataDir: string, cause: NodeJS.ErrnoException): StartError {
  return new StartError(
    `The user ${userInfo().username} cannot write to ${dataDir}, where Grove keeps its data (${cause.code}). Give the folder to this user, or set GROVE_DATA_DIR to one it can write to.`,
    { cause },
  );
}
