import { setTimeout as delay } from "node:timers/promises";
import type { PostgresSessionStore } from "grove-session/postgres";
import { chunksOf, residentMemoryOf } from "@/lib/commands/testing/grove-process";
import { randomNumbers } from "@/lib/text/testing/random";
import { type BenchApp, type BenchOptions, onBenchApp } from "./bench-app";
import { percentile } from "./interleave";
import { sampleMessage } from "./seed";

/** Times are in milliseconds. */
export interface TurnTimes {
  history: number;
  /** Time to the first words in the browser, minus the model's own time. */
  addedToFirstText: Spread;
  /** Time from leaving the model to the browser. */
  addedPerChunk: Spread;
  /** The model writes as fast as it can. */
  perChunkAtFullSpeed: number;
}

export interface Spread {
  p50: number;
  p95: number;
}

export type AnswersFigures = Awaited<ReturnType<typeof answersBench>>;

export interface AppMeasure extends BenchOptions {
  readonly rounds: number;
}

const histories = [10, 1_000, 10_000];
const longAnswers = 130;
/** V8 gives memory back some seconds after the last allocation. */
const restMs = 30_000;

/** Measures a built app, in conversations that are written to its database before. */
export async function answersBench(options: AppMeasure) {
  const { signal, say } = options;
  say("Writing conversations of 10, 1,000 and 10,000 messages.");
  const given = { seed: (store: PostgresSessionStore) => converse(store, signal) };
  return onBenchApp(options, given, async (app, conversations) => {
    say("Asking a question in each by turns.");
    const turns = await measureTurns(app, { ...options, conversations });
    say(`Answering ${longAnswers} questions in the longest.`);
    const { model, grove } = app;
    model.pace = { words: 20, pauseMs: 2, word: timedWord };
    const longest = conversations.at(-1);
    for (let n = 0; longest && n < longAnswers; n++) await askOnce(app, longest);
    const residentMemory = await residentMemoryOf(grove.pid);
    await delay(restMs, undefined, { signal });
    const memoryAtRest = await residentMemoryOf(grove.pid);
    return { turns, residentMemory, memoryAtRest, longAnswers };
  });
}

interface Conversation {
  history: number;
  session: string;
  leaf: string;
}

async function converse(store: PostgresSessionStore, signal: AbortSignal): Promise<Conversation[]> {
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
  return conversations;
}

interface Turn {
  firstText: number;
  chunks: number[];
}

async function measureTurns(
  app: BenchApp,
  { conversations, rounds, signal }: AppMeasure & { conversations: readonly Conversation[] },
): Promise<TurnTimes[]> {
  const { model } = app;
  const turns = conversations.map((): Turn[] => []);
  model.pace = { words: 50, pauseMs: 10, word: timedWord };
  for (let round = 0; round <= rounds; round++) {
    for (const [index, conversation] of conversations.entries()) {
      signal.throwIfAborted();
      const turn = await askOnce(app, conversation);
      if (round > 0) turns[index]?.push(turn);
    }
  }
  model.pace = { words: 2_000, pauseMs: 0, word: timedWord };
  const results: TurnTimes[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const fast = await askOnce(app, conversation);
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
  { grove, model, ref }: BenchApp,
  { session, leaf }: Conversation,
): Promise<Turn> {
  const api = `${grove.address}/api/sessions/${session}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: "And what follows from that?" }];
  const body = { id: crypto.randomUUID(), parts, parentId: leaf, model: ref, answerId };
  const startedAt = performance.now();
  const texts: Arrival[] = [];
  for await (const { type, delta = "" } of chunksOf(`${api}/messages`, sentByPage(body))) {
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

/** A request whose answer comes on its own connection. */
export function sentByPage(body: unknown): RequestInit {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

export interface Arrival {
  text: string;
  at: number;
}

/** A model whose words are times: those that come together arrive as one text. */
export const timedWord = () => `${performance.now()} `;

export function addedPerWord({ text, at }: Arrival): number[] {
  const words = text.split(" ").filter((word) => word !== "");
  return words.map((word) => at - Number(word));
}
