import { gzipSync } from "node:zlib";
import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  chunksOf,
  type GroveProcess,
  type Memory,
  memoryOf,
  startGrove,
  withTemporaryFolder,
} from "./grove-process";
import { percentile } from "./interleave";
import { type ModelServer, startModelServer } from "./model-server";
import { randomNumbers } from "./random";
import { sampleText } from "./seed";

export interface AppFigures {
  /** `null` when built already. */
  buildMs: number | null;
  firstStartMs: number;
  laterStartMs: number;
  pages: PageScripts[];
  idleMemory: Memory | null;
  /** Median of `select 1`. */
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

/** Measures a start on an empty folder and another on the same. */
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

export function sizeBench(): Promise<PageScripts[]> {
  return withTemporaryFolder(async (dataDir) =>
    whileRunning(await startGrove({ dataDir }), ({ address }) => weighPages(address)),
  );
}

async function weighPages(address: string): Promise<PageScripts[]> {
  const { sessions } = await callApi(`${address}/api/sessions`, { answer: sessionsSchema });
  const [session] = sessions;
  if (!session) throw new Error("There is no session to open.");
  const conversation = await pageScripts(address, `/s/${session.id}`);
  return [await pageScripts(address, "/"), { ...conversation, path: "/s/…" }];
}

async function whileRunning<Result>(
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

export interface TurnTimes {
  history: number;
  /** To the first words in the browser, minus the model's own time. */
  addedToFirstText: { p50: number; p95: number };
  /** From leaving the model to the browser. */
  addedPerChunk: { p50: number; p95: number };
  /** With a model that writes as fast as it can. */
  perChunkAtFullSpeed: number;
}

interface TurnMeasure {
  address: string;
  model: ModelServer;
  histories: readonly number[];
  rounds: number;
  signal: AbortSignal;
}

interface Conversation {
  history: number;
  session: string;
  /** Keeps the history's length. */
  leaf: string;
}

interface Turn {
  firstText: number;
  chunks: number[];
}

const sent = z.object({ run: z.object({ id: z.string() }).nullable() });
const modelsSchema = z.object({ models: z.array(z.object({ ref: z.string() })) });
const anything = z.unknown();

/** Interleaves conversations of several lengths. */
async function measureTurns(options: TurnMeasure): Promise<TurnTimes[]> {
  const { address, model, histories, rounds, signal } = options;
  const ref = await offerModel(address, model.modelId);
  const conversations: Conversation[] = [];
  for (const history of histories) conversations.push(await converse(address, history));
  const turns = conversations.map((): Turn[] => []);
  model.pace = { words: 50, pauseMs: 10 };
  for (let round = 0; round <= rounds; round++) {
    for (const [index, conversation] of conversations.entries()) {
      signal.throwIfAborted();
      const turn = await askOnce(address, { conversation, model, ref });
      if (round > 0) turns[index]?.push(turn);
    }
  }
  model.pace = { words: 2_000, pauseMs: 0 };
  const results: TurnTimes[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const fast = await askOnce(address, { conversation, model, ref });
    const spent = (fast.chunks.at(-1) ?? 0) + (model.last.wroteAt.at(-1) ?? 0);
    results.push({
      history: conversation.history,
      addedToFirstText: spread((turns[index] ?? []).map((turn) => turn.firstText)),
      addedPerChunk: spread((turns[index] ?? []).flatMap((turn) => turn.chunks.slice(1))),
      perChunkAtFullSpeed: (spent - (model.last.wroteAt[0] ?? 0)) / model.pace.words,
    });
  }
  return results;
}

function spread(values: readonly number[]): { p50: number; p95: number } {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
}

/** With a window that never fills. */
export async function offerModel(address: string, modelId: string): Promise<string> {
  const { models } = await callApi(`${address}/api/models`, { answer: modelsSchema });
  const ref = models.find((model) => model.ref.endsWith(`/${modelId}`))?.ref;
  if (ref === undefined) throw new Error("Grove does not offer the model of the benchmark.");
  const override = {
    ref,
    contextWindow: 100_000_000,
    inputPerMillion: null,
    outputPerMillion: null,
  };
  const body = { defaultModel: ref, modelOverrides: [override] };
  await callApi(`${address}/api/settings`, { method: "PATCH", body, answer: anything });
  return ref;
}

async function converse(address: string, history: number): Promise<Conversation> {
  const session = crypto.randomUUID();
  const random = randomNumbers(history);
  let leaf = "";
  for (let n = 0; n < history; n++) {
    leaf = crypto.randomUUID();
    const parts = [{ type: "text", text: sampleText(random, 540) }];
    await callApi(`${address}/api/sessions/${session}/messages`, {
      method: "POST",
      body: {
        id: leaf,
        parts,
        generate: false,
        ...(n === 0 && { newSession: { title: "Bench" } }),
      },
      answer: anything,
    });
  }
  return { history, session, leaf };
}

async function askOnce(
  address: string,
  { conversation, model, ref }: { conversation: Conversation; model: ModelServer; ref: string },
): Promise<Turn> {
  const { session, leaf } = conversation;
  const api = `${address}/api/sessions/${session}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: "And what follows from that?" }];
  const startedAt = performance.now();
  await callApi(`${api}/messages`, {
    method: "POST",
    body: { id: crypto.randomUUID(), parts, parentId: leaf, model: ref, answerId },
    answer: sent,
  });
  const arrivals: number[] = [];
  for await (const chunk of chunksOf(`${api}/runs/${answerId}/stream?after=0`)) {
    if (chunk.type === "text-delta") arrivals.push(performance.now());
  }
  const { askedAt, wroteAt } = model.last;
  if (arrivals.length !== wroteAt.length) {
    throw new Error(`${wroteAt.length} chunks were written and ${arrivals.length} arrived.`);
  }
  const modelsOwn = (wroteAt[0] ?? 0) - askedAt;
  return {
    firstText: (arrivals[0] ?? Number.NaN) - startedAt - modelsOwn,
    chunks: arrivals.map((arrival, n) => arrival - (wroteAt[n] ?? Number.NaN)),
  };
}

/** Per page, gzipped. */
export const scriptBudgetBytes = 300 * 1024;

export interface PageScripts {
  path: string;
  files: number;
  gzippedBytes: number;
}

/** Excludes scripts for browsers without modules. */
async function pageScripts(address: string, path: string): Promise<PageScripts> {
  const html = await (await fetch(`${address}${path}`)).text();
  const sources = scriptSources(html);
  if (sources.length === 0) throw new Error(`The page ${path} names no script.`);
  const sizes = await Promise.all(
    sources.map(async (source) => {
      const response = await fetch(new URL(source, address));
      if (!response.ok) throw new Error(`${source} answers with ${response.status}.`);
      return gzipSync(await response.bytes()).length;
    }),
  );
  const gzippedBytes = sizes.reduce((sum, size) => sum + size, 0);
  return { path, files: sources.length, gzippedBytes };
}

export function scriptSources(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*>/gi) ?? [];
  const named = tags.flatMap((tag) => {
    if (/\bnomodule\b/i.test(tag)) return [];
    const isScript = /^<script/i.test(tag);
    if (!isScript && !/\bas="script"|\brel="modulepreload"/i.test(tag)) return [];
    const source = (isScript ? /\bsrc="([^"]+)"/i : /\bhref="([^"]+)"/i).exec(tag)?.[1];
    return source === undefined ? [] : [source.replaceAll("&amp;", "&")];
  });
  return [...new Set(named)];
}
