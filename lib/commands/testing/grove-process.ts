import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import packageJson from "@/package.json" with { type: "json" };

export interface GroveProcess {
  address: string;
  pid: number;
  readyAfterMs: number;
  printed(): string;
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../start.ts", import.meta.url));
const flags = packageJson.scripts.start.split(" ").slice(1, -1);

// A new person has none of this machine's `.env`.
const unset = ["ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENAI_API_KEY", "HOST"];

/**
 * Runs `npm start` on a free port until it is ready.
 *
 * @throws with its output when it ends instead.
 */
export async function startGrove({
  dataDir,
  environment = {},
}: {
  dataDir: string;
  environment?: Record<string, string>;
}): Promise<GroveProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...flags, command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...Object.fromEntries([...unset, "DATABASE_URL"].map((name) => [name, ""])),
      npm_lifecycle_event: "",
      GROVE_DATA_DIR: dataDir,
      PORT: String(port),
      ...environment,
    },
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  let said = "";
  const ready = new Promise<void>((done, fail) => {
    const take = (chunk: Buffer) => {
      said += chunk;
      if (said.includes("Grove is ready at")) done();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("exit", () => fail(new Error(`Grove did not start:\n${said}`)));
  });
  await ready;
  const readyAfterMs = performance.now() - startedAt;
  const printed = () => said;
  return { address: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, readyAfterMs, printed, stop };
}

export function withGrove<Result>(
  use: (grove: GroveProcess) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  return withTemporaryFolder(async (dataDir) => {
    const grove = await startGrove({ dataDir, environment });
    try {
      return await use(grove);
    } finally {
      await grove.stop();
    }
  });
}

// Systems give higher ports to outgoing connections: one of those would take the port of a server that is down.
const firstPort = 12_000;
const lastPort = 30_000;

/** Ports are drawn at random, so that two processes that ask at once get different ones. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(firstPort, lastPort);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
  throw new Error("No TCP port is free.");
}

/** The folder is accessible to Postgres' account, and deleted afterwards. */
export async function withTemporaryFolder<Result>(
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "grove-bench-"));
  await chmod(folder, 0o711);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Megabytes including descendants, each page counted once. */
export interface Memory {
  app: number;
  launcher: number;
  postgres: number;
}

interface Process {
  pid: number;
  parent: number;
  name: string;
}

/** Returns `null` except on Linux. */
export async function memoryOf(pid: number): Promise<Memory | null> {
  if (process.platform !== "linux") return null;
  const memory: Memory = { app: 0, launcher: 0, postgres: 0 };
  for (const found of await withDescendants(pid)) {
    const part = found.pid === pid ? "launcher" : found.name === "postgres" ? "postgres" : "app";
    memory[part] += await proportionalMegabytes(found.pid);
  }
  return memory;
}

async function withDescendants(root: number): Promise<Process[]> {
  const all = await processes();
  const chosen = all.filter(({ pid }) => pid === root);
  // The list grows during iteration: children follow their parents.
  for (const { pid } of chosen) chosen.push(...all.filter(({ parent }) => parent === pid));
  return chosen;
}

async function processes(): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
  );
  return read.flatMap((line) => {
    const [, pid, name, parent] = /^(\d+) \((.*)\) \S (\d+)/.exec(line) ?? [];
    return pid && name ? [{ pid: Number(pid), parent: Number(parent), name }] : [];
  });
}

/** Megabytes of the server alone; `NaN` except on Linux. */
export async function residentMemoryOf(launcher: number): Promise<number> {
  if (process.platform !== "linux") return Number.NaN;
  const servers = (await withDescendants(launcher)).filter(
    ({ pid, name }) => pid !== launcher && name !== "postgres",
  );
  const sizes = await Promise.all(
    servers.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
    }),
  );
  return Math.max(...sizes);
}

/** Divides shared pages among processes, because Postgres shares its buffers. */
async function proportionalMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** @throws with Grove's own sentence when it refuses. */
export async function callApi<Schema extends z.ZodType>(
  url: string,
  { method = "GET", body, answer }: { method?: string; body?: unknown; answer: Schema },
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const value: unknown = await response.json();
  if (response.ok) return answer.parse(value);
  throw new Error(`${method} ${url}: ${errorSchema.parse(value).error.message}`);
}

const chunkSchema = z.looseObject({ type: z.string(), delta: z.string().optional() });

export class RefusedStreamError extends Error {
  override readonly name = "RefusedStreamError";
  readonly mayPass: boolean;

  constructor(url: string, { status }: Response) {
    super(`${url} was refused with status ${status}.`);
    this.mayPass = status >= 500 || status === 408 || status === 429;
  }
}

/** @throws {RefusedStreamError} */
export async function* chunksOf(
  url: string,
  init: RequestInit = {},
): AsyncGenerator<z.output<typeof chunkSchema>> {
  for await (const json of eventsOf(url, init)) yield chunkSchema.parse(json);
}

export async function* eventsOf(url: string, init: RequestInit = {}): AsyncGenerator<unknown> {
  const response = await fetch(url, init);
  const { body } = response;
  if (!response.ok) {
    await body?.cancel();
    throw new RefusedStreamError(url, response);
  }
  if (!body) return;
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const json = event.replace(/^(event: .*\n)?data: /, "");
      if (json.startsWith("{")) yield JSON.parse(json);
    }
  }
}
