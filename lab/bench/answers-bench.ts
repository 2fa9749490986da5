import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  chunksOf,
  residentMemoryOf,
  startGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import { PostgresSessionStore } from "@/lib/postgres";
import { connect } from "@/lib/postgres/connect";
import { startEmbeddedPostgres } from "@/lib/postgres/embedded/start-embedded-postgres";
import { migrate } from "@/lib/postgres/migrate";
import { offerModel } from "./app-bench";
import { percentile } from "./interleave";
import { type ModelServer, startModelServer } from "./model-server";
import { randomNumbers } from "./random";
import { sampleMessage } from "./seed";

/** Milliseconds. */
export interface TurnTimes {
  history: number;
  /** To the first words in the browser, minus the model's own time. */
  addedToFirstText: Spread;
  /** From leaving the model to the browser. */
  addedPerChunk: Spread;
  /** With a model that writes as fast as it can. */
  perChunkAtFullSpeed: number;
}

export interface Spread {
  p50: number;
  p95: number;
}

export interface AnswersFigures {
  turns: TurnTimes[];
  /** Of the server after `longAnswers` answers to the longest history, in megabytes. */
  residentMemory: number;
  /** The same after `restMs` without a request. */
  memoryAtRest: number;
  longAnswers: number;
}

export interface AppMeasure {
  projectDir: string;
  rounds: number;
  signal: AbortSignal;
  say: (line: string) => void;
}

const owner = "local";
const histories = [10, 1_000, 10_000];
const longAnswers = 130;
/** V8 gives memory back some seconds after the last allocation. */
const restMs = 30_000;

/** Of a built app, in conversations that are written to its database before. */
export async function answersBench(options: AppMeasure): Promise<AnswersFigures> {
  const { projectDir, signal, say, rounds } = options;
  await ensureBuild({ projectDir, environment: process.env, signal, say });
  const model = await startModelServer();
  try {
    return await withTemporaryFolder(async (dataDir) => {
      say("Writing conversations of 10, 1,000 and 10,000 messages.");
      const conversations = await converse(dataDir, signal);
      const grove = await startGrove({ dataDir, environment: environmentOf(model) });
      try {
        const ref = await offerModel(grove.address, model.modelId);
        say("Asking a question in each by turns.");
        const asking = { address: grove.address, model, ref, signal };
        const turns = await measureTurns(asking, { conversations, rounds });
        say(`Answering ${longAnswers} questions in the longest.`);
        model.pace = { words: 20, pauseMs: 2, word: timedWord };
        const longest = conversations.at(-1);
        for (let n = 0; longest && n < longAnswers; n++) await askOnce(asking, longest);
        const residentMemory = await residentMemoryOf(grove.pid);
        await delay(restMs, undefined, { signal });
        const memoryAtRest = await residentMemoryOf(grove.pid);
        return { turns, residentMemory, memoryAtRest, longAnswers };
      } finally {
        await grove.stop();
      }
    });
  } finally {
    await model.close();
  }
}

export function environmentOf(model: ModelServer): Record<string, string> {
  return { OPENAI_COMPATIBLE_NAME: "bench", OPENAI_COMPATIBLE_BASE_URL: model.baseUrl };
}

export interface Conversation {
  history: number;
  session: string;
  /** Keeps the history's length. */
  leaf: string;
}

async function converse(dataDir: string, signal: AbortSignal): Promise<Conversation[]> {
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = connect(server.url, { max: 1 });
  try {
    await migrate(sql);
    const store = new PostgresSessionStore(sql, owner);
    const conversations: Conversation[] = [];
    for (const history of histories) {
      const { id: session } = await store.sessions.create(`${history} messages`);
      const random = randomNumbers(history);
      const list = Array.from({ length: history }, (_, n) => sampleMessage(random, n));
      for (let n = 0; n < history; n += 200) {
        signal.throwIfAborted();
        await store.messages(session).appendMessages(list.slice(n, n + 200));
      }
      conversations.push({ history, session, leaf: list.at(-1)?.id ?? "" });
    }
    // Autovacuum would do this within a minute.
    await sql`vacuum analyze`;
    return conversations;
  } finally {
    await sql.end({ timeout: 1 });
    await server.stop();
  }
}

interface Turn {
  firstText: number;
  chunks: number[];
}

interface Asking {
  address: string;
  model: ModelServer;
  ref: string;
  signal: AbortSignal;
}

/** Interleaves conversations of several lengths. */
async function measureTurns(
  asking: Asking,
  { conversations, rounds }: { conversations: readonly Conversation[]; rounds: number },
): Promise<TurnTimes[]> {
  const { model, signal } = asking;
  const turns = conversations.map((): Turn[] => []);
  model.pace = { words: 50, pauseMs: 10, word: timedWord };
  for (let round = 0; round <= rounds; round++) {
    for (const [index, conversation] of conversations.entries()) {
      signal.throwIfAborted();
      const turn = await askOnce(asking, conversation);
      if (round > 0) turns[index]?.push(turn);
    }
  }
  model.pace = { words: 2_000, pauseMs: 0, word: timedWord };
  const results: TurnTimes[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const fast = await askOnce(asking, conversation);
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

export function spread(values: readonly number[]): Spread {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95) };
}

async function askOnce(
  { address, model, ref }: Asking,
  { session, leaf }: Conversation,
): Promise<Turn> {
  const api = `${address}/api/sessions/${session}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: "And what follows from that?" }];
  const startedAt = performance.now();
  await callApi(`${api}/messages`, {
    method: "POST",
    body: { id: crypto.randomUUID(), parts, parentId: leaf, model: ref, answerId },
    answer: z.unknown(),
  });
  const texts: Arrival[] = [];
  for await (const { type, delta = "" } of chunksOf(`${api}/runs/${answerId}/stream?after=0`)) {
    if (type === "text-delta") texts.push({ text: delta, at: performance.now() });
  }
  const { askedAt, wroteAt } = model.last;
  const chunks = texts.flatMap(addedPerWord);
  if (chunks.length !== wroteAt.length) {
    throw new Error(`${wroteAt.length} words were written and ${chunks.length} arrived.`);
  }
  const modelsOwn = (wroteAt[0] ?? 0) - askedAt;
  return { firstText: (texts[0]?.at ?? Number.NaN) - startedAt - modelsOwn, chunks };
}

export interface Arrival {
  text: string;
  at: number;
}

/** For a model whose words are times: those that come together arrive as one text. */
export const timedWord = () => `${performance.now()} `;

export function addedPerWord({ text, at }: Arrival): number[] {
  const words = text.split(" ").filter((word) => word !== "");
  return words.map((word) => at - Number(word));
}
