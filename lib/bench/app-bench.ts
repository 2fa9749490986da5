import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import { callApi } from "./api-client";
import { type GroveProcess, startGrove } from "./grove-process";
import { percentile } from "./interleave";
import { measureTurns, type TurnTimes } from "./measure-turns";
import { startModelServer } from "./model-server";
import { type PageScripts, pageScripts } from "./page-scripts";
import { type Memory, memoryOf } from "./process-memory";
import { withTemporaryFolder } from "./temporary-folder";

export interface AppFigures {
  /** `null` when there was a build of this source. */
  buildMs: number | null;
  firstStartMs: number;
  laterStartMs: number;
  pages: PageScripts[];
  idleMemory: Memory | null;
  /** A request that only asks the database for `select 1`, median. */
  healthMs: number;
  turns: TurnTimes[];
}

export interface AppBenchOptions {
  projectDir: string;
  rounds: number;
  signal: AbortSignal;
  say: (line: string) => void;
}

const laterStarts = 3;
const sessionsSchema = z.object({ sessions: z.array(z.object({ id: z.string() })) });

/** Builds the app if need be, starts it on an empty folder and again on the same, and measures it. */
export async function appBench(options: AppBenchOptions): Promise<AppFigures> {
  const buildMs = await build(options);
  const model = await startModelServer();
  try {
    return await withTemporaryFolder(async (dataDir) => {
      options.say("Starting Grove on an empty folder, and again on the same.");
      const first = await startGrove({ dataDir });
      await first.stop();
      const later: number[] = [];
      for (let n = 0; n < laterStarts; n++) {
        const grove = await startGrove({ dataDir });
        later.push(grove.readyAfterMs);
        await grove.stop();
      }
      const environment = {
        OPENAI_COMPATIBLE_NAME: "bench",
        OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
      };
      const figures = await whileRunning(
        await startGrove({ dataDir, environment }),
        async (grove) => {
          const pages = await weighPages(grove.address);
          const idleMemory = await memoryOf(grove.pid);
          const healthMs = await healthTime(grove.address);
          options.say("Asking questions in conversations of 10 and 1,000 messages.");
          const turns = await measureTurns({
            ...options,
            address: grove.address,
            model,
            histories: [10, 1_000],
          });
          return { pages, idleMemory, healthMs, turns };
        },
      );
      const laterStartMs = percentile(later, 0.5);
      return { buildMs, firstStartMs: first.readyAfterMs, laterStartMs, ...figures };
    });
  } finally {
    await model.close();
  }
}

/** The scripts of the page for a new conversation, and of a conversation. */
export async function weighPages(address: string): Promise<PageScripts[]> {
  const { sessions } = await callApi(`${address}/api/sessions`, { answer: sessionsSchema });
  const [session] = sessions;
  if (!session) throw new Error("There is no session to open.");
  const conversation = await pageScripts(address, `/s/${session.id}`);
  return [await pageScripts(address, "/"), { ...conversation, path: "/s/…" }];
}

export async function whileRunning<Result>(
  grove: GroveProcess,
  use: (grove: GroveProcess) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(grove);
  } finally {
    await grove.stop();
  }
}

async function build({ projectDir, signal, say }: AppBenchOptions): Promise<number | null> {
  const startedAt = performance.now();
  let hasBuilt = false;
  await ensureBuild({
    projectDir,
    environment: process.env,
    signal,
    say: (line) => {
      hasBuilt = true;
      say(line);
    },
  });
  return hasBuilt ? performance.now() - startedAt : null;
}

async function healthTime(address: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 60; n++) {
    const startedAt = performance.now();
    await callApi(`${address}/api/health`, { answer: z.unknown() });
    times.push(performance.now() - startedAt);
  }
  return percentile(times.slice(10), 0.5);
}
