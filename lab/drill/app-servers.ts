import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "grove-session/postgres";
import { connect } from "grove-session/postgres";
import { z } from "zod";
import { offerModel } from "@/lab/bench/app-bench";
import { type ModelServer, startModelServer } from "@/lab/bench/model-server";
import { localPersonId } from "@/lib/chat/core/person-in-space";
import { ensureBuild } from "@/lib/commands/ensure-build";
import { waitUntilHealthy } from "@/lib/commands/next-process";
import { serverArguments } from "@/lib/commands/run-grove";
import { freePort, withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { connectOnce } from "@/lib/storage/embedded/probe";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "@/lib/storage/embedded/start-embedded-postgres";
import type { DrillOptions } from "./drill";

export interface AppServer {
  readonly address: string;
  printed(): string;
  kill(): Promise<void>;
  terminate(): Promise<void>;
  /** @throws with its output when it does not become healthy. */
  start(): Promise<void>;
}

export interface DrillSite {
  readonly model: ModelServer;
  readonly dataDir: string;
  readonly database: () => EmbeddedPostgres;
  stopDatabase(): Promise<void>;
  crashDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
  server(environment?: Record<string, string>): Promise<AppServer>;
  /** The site's model, made the default through its first server. */
  modelRef(): Promise<string>;
}

const script = fileURLToPath(new URL("../../lib/commands/next-with-parent.js", import.meta.url));
const projectDir = process.cwd();
/** A server starts in half the time with the cache, and servers that die young write none. */
const compileCache = join(projectDir, ".next/cache/drill-servers");
const healthyWithinMs = 180_000;
const keptOutput = 4_000;

export async function withSite<Result>(
  { signal, say }: Pick<DrillOptions, "signal" | "say">,
  use: (site: DrillSite) => Promise<Result>,
): Promise<Result> {
  await ensureBuild({ projectDir, environment: process.env, signal, say });
  const model = await startModelServer();
  return withTemporaryFolder(async (dataDir) => {
    const servers: AppServer[] = [];
    let database = await startEmbeddedPostgres({ dataDir });
    const { url } = database;
    try {
      return await use({
        model,
        dataDir,
        database: () => database,
        stopDatabase: () => database.stop(),
        crashDatabase: async () => {
          const admin = connectOnce(database.adminUrl);
          const [row] = await admin<[{ file: string }]>`
            select pg_read_file('postmaster.pid') as file`.finally(() => admin.end({ timeout: 1 }));
          process.kill(Number.parseInt(row.file, 10), "SIGQUIT");
          await database.stop();
        },
        startDatabase: async () => {
          database = await startEmbeddedPostgres({ dataDir });
        },
        server: async (environment = {}) => {
          const port = await freePort();
          const server = appServer(port, {
            OPENAI_COMPATIBLE_NAME: "drill",
            OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
            DATABASE_URL: url,
            GROVE_DATA_DIR: dataDir,
            ...environment,
          });
          servers.push(server);
          await server.start();
          return server;
        },
        modelRef: () => patiently(() => offerModel(servers[0]?.address ?? "", model.modelId)),
      });
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
      await database.stop();
      await model.close();
    }
  });
}

export async function withSites(
  options: Pick<DrillOptions, "signal" | "say">,
  count: number,
  use: (site: DrillSite) => Promise<void>,
): Promise<void> {
  await ensureBuild({ projectDir, environment: process.env, ...options });
  await Promise.all(Array.from({ length: count }, () => withSite(options, use)));
}

const attempts = 5;
const pauseMs = 2_000;

async function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt === attempts) throw error;
      await delay(pauseMs);
    }
  }
}

function appServer(port: number, environment: Record<string, string>): AppServer {
  const address = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let output = "";
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  return {
    address,
    printed: () => output,
    kill: () => end("SIGKILL"),
    terminate: () => end("SIGTERM"),
    async start() {
      output = "";
      const args = serverArguments("production", { host: "127.0.0.1", port });
      child = spawn(process.execPath, [script, ...args], {
        cwd: projectDir,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        env: {
          ...process.env,
          NODE_ENV: "production",
          NEXT_TELEMETRY_DISABLED: "1",
          NEXT_MANUAL_SIG_HANDLE: "1",
          NODE_COMPILE_CACHE: compileCache,
          GROVE_DISCOVER_LOCAL: "0",
          PORT: String(port),
          HOST: "127.0.0.1",
          ...environment,
        },
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => {
          output = (output + text).slice(-keptOutput);
        });
      }
      if (!(await waitUntilHealthy({ address, withinMs: healthyWithinMs })))
        throw new Error(`The server did not become healthy:\n${output}`);
    },
  };
}

const stored = z.object({
  parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  metadata: z.looseObject({ status: z.string().optional() }).optional(),
});

export interface StoredRow {
  readonly sessionId: string;
  readonly id: string;
  readonly role: string;
  readonly text: string;
  readonly status: string | undefined;
}

export function storedMessages(site: DrillSite): Promise<StoredRow[]> {
  return asked(site, async (sql) => {
    const rows = await sql<{ session_id: string; id: string; role: string; content: string }[]>`
      select session_id, id, role, content from chat_message
      where owner_id = ${localPersonId} and deletion_id is null
      order by session_id, ordinal, id`;
    return rows.map(({ session_id: sessionId, id, role, content }) => {
      const { parts, metadata } = stored.parse(JSON.parse(content));
      const text = parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
      return { sessionId, id, role, text, status: metadata?.status };
    });
  });
}

/** @returns the milliseconds until no answer was running, or `null` after `withinMs`. */
export async function settledAfter(site: DrillSite, withinMs: number): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < withinMs) {
    if ((await runningAnswers(site)) === 0) return performance.now() - startedAt;
    await delay(100);
  }
  return null;
}

function runningAnswers(site: DrillSite): Promise<number> {
  return asked(site, async (sql) => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from chat_run where status = 'running'`;
    return row?.count ?? 0;
  });
}

function asked<Result>(
  { database }: DrillSite,
  ask: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return patiently(async () => {
    const sql = connect(database().url, { max: 1 });
    return ask(sql).finally(() => sql.end({ timeout: 1 }));
  });
}
