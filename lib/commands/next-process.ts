import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { addressFor, StartError, type StartSettings } from "./start-settings";

export interface NextProcessOptions {
  projectDir: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  output: (chunk: string) => void;
  graceMs: number;
}

export interface NextProcess {
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL("next-with-parent.js", import.meta.url));

/** Megabytes; Node's default takes 90 MB more for 50 answers at once. */
const semiSpace = 8;

/** V8's default takes 270 MB more after long chats. */
const heapGrowthPercent = 25;

export function startNext(options: NextProcessOptions): NextProcess {
  const { projectDir, args, env, output, graceMs } = options;
  const child = spawn(process.execPath, [...flagsFor(args), script, ...args], {
    cwd: projectDir,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    // Ctrl+C must reach this process alone, which stops things in order.
    detached: process.platform !== "win32",
  });
  child.stdout?.setEncoding("utf8").on("data", output);
  const ended = endOf(child);
  return { ended, stop: () => stop(child, { ended, graceMs }) };
}

function flagsFor([command]: readonly string[]): string[] {
  if (command !== "start") return [];
  return [`--max-semi-space-size=${semiSpace}`, `--heap-growing-percent=${heapGrowthPercent}`];
}

function endOf(child: ChildProcess): NextProcess["ended"] {
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => done({ code, signal }));
  });
}

async function stop(
  child: ChildProcess,
  { ended, graceMs }: Pick<NextProcess, "ended"> & { graceMs: number },
): Promise<void> {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
  // `next dev` has child processes.
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

export async function assertPortFree({ host, port }: StartSettings): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
  } catch (cause) {
    throw new StartError(sentenceFor(cause, { host, port }), { cause });
  }
  server.close();
  await once(server, "close");
}

function sentenceFor(cause: unknown, place: { host: string; port: number }): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  const other = "Choose another with PORT, for example PORT=3001 npm start.";
  if (code === "EADDRINUSE") {
    return `Port ${place.port} is already in use, perhaps by Grove itself at ${addressFor(place)}. ${other}`;
  }
  if (code === "EACCES") return `This user may not listen on port ${place.port}. ${other}`;
  return `Grove cannot listen at ${addressFor(place)}: ${message}.`;
}

export interface HealthWait {
  address: string;
  withinMs: number;
}

/** Consecutive failures: a server that cannot set itself up will not recover. */
const hopelessAfter = 5;

export async function waitUntilHealthy({ address, withinMs }: HealthWait): Promise<boolean> {
  const giveUpAt = Date.now() + withinMs;
  let failures = 0;
  while (Date.now() < giveUpAt && failures < hopelessAfter) {
    const status = await statusOf(`${address}/api/health`);
    if (status === 200) return true;
    failures = status === 500 ? failures + 1 : 0;
    await delay(100, undefined, { ref: false });
  }
  return false;
}

/** Next loads modules on demand, which the first person should not wait for. */
export async function loadFirstPage(address: string, origin: string | null): Promise<void> {
  if (origin === null) await statusOf(address);
  else await statusOf(`${address}/sign-in`, { host: new URL(origin).host });
}

/** `fetch` would take 10 MB for the lifetime of this process. `null` without a response. */
function statusOf(url: string, headers: Record<string, string> = {}): Promise<number | null> {
  return new Promise((done) => {
    // The first request waits for migrations.
    const request = get(url, { timeout: 120_000, headers }, (response) => {
      response.resume().once("close", () => done(response.statusCode ?? null));
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => done(null));
  });
}
