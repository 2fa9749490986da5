import { z } from "zod";
import { callApi, chunksOf } from "./api-client";
import { percentile } from "./interleave";
import type { ModelServer } from "./model-server";
import { randomNumbers, sampleText } from "./sample-text";

export interface TurnTimes {
  history: number;
  /** From sending the question to the first words at the browser, less the model's own time. */
  addedToFirstText: { p50: number; p95: number };
  /** From a chunk leaving the model to the same chunk at the browser. */
  addedPerChunk: { p50: number; p95: number };
  /** The time per chunk when the model writes as fast as it can. */
  perChunkAtFullSpeed: number;
}

export interface TurnMeasure {
  address: string;
  model: ModelServer;
  histories: readonly number[];
  rounds: number;
  signal: AbortSignal;
}

interface Conversation {
  history: number;
  session: string;
  /** Every question is asked here, so that the history stays as long as it is. */
  leaf: string;
}

interface Turn {
  firstText: number;
  chunks: number[];
}

const sent = z.object({ run: z.object({ id: z.string() }).nullable() });
const modelsSchema = z.object({ models: z.array(z.object({ ref: z.string() })) });
const anything = z.unknown();

/** Asks questions over the HTTP API, the way the page does, in conversations of several lengths by turns. */
export async function measureTurns(options: TurnMeasure): Promise<TurnTimes[]> {
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

/** Its window is set so large that no history is compacted. */
/** Makes the benchmark's model the default, with a window that is never full; gives its name in Grove. */
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
