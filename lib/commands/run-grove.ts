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

/** Runs until `signal`. @throws {StartError} when Grove cannot start, or ends unexpectedly. */
export async function runGrove(options: GroveOptions): Promise<void> {
  const { projectDir, environment, mode, say, signal } = options;
  const read = readStartSettings(environment, { projectDir });
  if (!read.ok) throw new StartError(read.problems.join("\n"));
  const { settings } = read;

  await assertPortFree(settings);
  const database = await openDatabase(settings, say);
  try {
    if (mode === "production") await ensureBuild({ projectDir, environment, signal, say });
    if (!signal.aborted) await serve(options, { settings, database });
  } finally {
    await database.stop();
  }
}

async function serve(options: GroveOptions, parts: Parts): Promise<void> {
  const { mode, projectDir, say } = options;
  const { host, port } = parts.settings;
  const output = outputFor(mode);
  const next = startNext({
    projectDir,
    args: [mode === "production" ? "start" : "dev", "-p", String(port), "-H", host],
    env: serverEnvironment(options, parts),
    output: output.take,
  });
  try {
    const end = untilEnd(options, { next, database: parts.database, output });
    await Promise.race([end, untilHealthy(parts.settings, output)]);
    if (mode === "production") await Promise.race([end, loadFirstPage(addressFor(parts.settings))]);
    if (options.signal.aborted) return;
    say(`Grove is ready at ${addressFor(parts.settings)}`);
    output.passOn();
    await end;
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
): Promise<void> {
  return new Promise((done, fail) => {
    signal.addEventListener("abort", () => done(), { once: true });
    if (signal.aborted) done();
    next.ended.then(({ code, signal: killedBy }) => {
      const how = killedBy ? `killed by ${killedBy}` : `with code ${code}`;
      fail(new StartError(`The server ended unexpectedly, ${how}.\n${output.said()}`.trim()));
    }, fail);
    database.failed.then(fail, fail);
  });
}

async function untilHealthy(settings: StartSettings, output: Output): Promise<void> {
  const address = addressFor(settings);
  if (await waitUntilHealthy({ address, withinMs: healthyWithinMs })) return;
  throw new StartError(
    `The server at ${address} did not become healthy within ${healthyWithinMs / 1_000} s. Its output is above.\n${output.said()}`.trim(),
  );
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
    },
  };
}
