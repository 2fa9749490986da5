import { gzipSync } from "node:zlib";
import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  type GroveProcess,
  memoryOf,
  startGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import { percentile } from "./interleave";

export type AppFigures = Awaited<ReturnType<typeof appBench>>;

interface AppBenchOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const laterStarts = 3;
const sessionsSchema = z.object({ sessions: z.array(z.object({ id: z.string() })) });

export async function appBench(options: AppBenchOptions) {
  const buildMs = await build(options);
  return withTemporaryFolder(async (dataDir) => {
    options.say("Starting Grove on an empty folder, and again on the same.");
    const first = await startGrove({ dataDir });
    await first.stop();
    const later: number[] = [];
    for (let n = 0; n < laterStarts; n++) {
      const grove = await startGrove({ dataDir });
      later.push(grove.readyAfterMs);
      await grove.stop();
    }
    const figures = await whileRunning(await startGrove({ dataDir }), async (grove) => ({
      pages: await weighPages(grove.address),
      idleMemory: await memoryOf(grove.pid),
      healthMs: await healthTime(grove.address),
    }));
    const laterStartMs = percentile(later, 0.5);
    return { buildMs, firstStartMs: first.readyAfterMs, laterStartMs, ...figures };
  });
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

/** `null` when built already. */
async function build({ signal, say }: AppBenchOptions): Promise<number | null> {
  const startedAt = performance.now();
  let hasBuilt = false;
  await ensureBuild({
    projectDir: process.cwd(),
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

const modelsSchema = z.object({ models: z.array(z.object({ ref: z.string() })) });

/** The model's window never fills. */
export async function offerModel(address: string, modelId: string): Promise<string> {
  const { models } = await callApi(`${address}/api/models`, { answer: modelsSchema });
  const ref = models.find((model) => model.ref.endsWith(`/${modelId}`))?.ref;
  if (ref === undefined) throw new Error("Grove does not offer the model of the benchmark.");
  const override = { contextWindow: 100_000_000, inputPerMillion: null, outputPerMillion: null };
  const body = { defaultModel: ref, modelOverrides: { [ref]: override } };
  await callApi(`${address}/api/settings`, { method: "PATCH", body, answer: z.unknown() });
  return ref;
}

export const scriptBudgetBytes = 270 * 1024;

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
