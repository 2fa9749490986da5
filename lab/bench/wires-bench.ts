import { setImmediate as nextTurn } from "node:timers/promises";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { modelOf, type TestedProtocol } from "@/lib/llm/testing/streamed-answer";
import type { BenchOptions } from "./bench-app";
import { percentile } from "./interleave";

/** Milliseconds, but for the last: microseconds of the processor. */
export interface WireCost {
  readonly firstWord: number;
  readonly chunkP95: number;
  readonly cpuPerChunk: number;
}

export interface WireFigures {
  readonly protocol: string;
  readonly alone: WireCost;
  readonly read: WireCost;
}

const chunks = 2_000;
const rounds = 30;
const warmUpRounds = 5;

type Fetch = typeof globalThis.fetch;

/** Medians of rounds that take turns, one small delta in each event and each piece of the body. */
export async function wiresBench({ signal }: Pick<BenchOptions, "signal">): Promise<WireFigures[]> {
  const figures: WireFigures[] = [];
  for (const wire of wires) {
    const events = [...wire.begin, ...Array.from({ length: chunks }, wire.delta), ...wire.end];
    const server = serverOf(events.map((event) => new TextEncoder().encode(event)));
    const ways = [wire.alone(server.fetch), modelOf(wire.protocol, server)];
    const costs: WireCost[][] = ways.map(() => []);
    for (let round = -warmUpRounds; round < rounds; round++)
      for (const [index, model] of ways.entries()) {
        signal.throwIfAborted();
        const cost = await costOf(model, server);
        if (round >= 0) costs[index]?.push(cost);
      }
    const [alone, read] = costs.map(medianOf);
    if (alone && read) figures.push({ protocol: wire.name, alone, read });
  }
  return figures;
}

async function costOf(model: LanguageModelV4, server: MeasuredServer): Promise<WireCost> {
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  const prompt = [{ role: "user", content: [{ type: "text", text: "Question" }] }] as const;
  const { stream } = await model.doStream({ prompt: structuredClone([...prompt]) as never });
  const reader = stream.getReader();
  let firstWord = Number.NaN;
  const times: number[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.type !== "text-delta") continue;
    const now = performance.now();
    if (times.length === 0) firstWord = now - startedAt;
    times.push(now - server.sentAt);
  }
  if (times.length !== chunks) throw new Error(`${times.length} of ${chunks} deltas arrived.`);
  const { user, system } = process.cpuUsage(usedBefore);
  return { firstWord, chunkP95: percentile(times, 0.95), cpuPerChunk: (user + system) / chunks };
}

function medianOf(costs: readonly WireCost[]): WireCost {
  const of = (name: keyof WireCost) =>
    percentile(
      costs.map((cost) => cost[name]),
      0.5,
    );
  return { firstWord: of("firstWord"), chunkP95: of("chunkP95"), cpuPerChunk: of("cpuPerChunk") };
}

interface MeasuredServer {
  readonly fetch: Fetch;
  sentAt: number;
}

/** Sends each piece in a turn of its own, since Grove joins the deltas of one. */
function serverOf(pieces: readonly Uint8Array[]): MeasuredServer {
  const server = { sentAt: 0, fetch };
  async function fetch() {
    let at = 0;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        for (let turn = 0; turn < 3; turn++) await nextTurn();
        const piece = pieces[at++];
        server.sentAt = performance.now();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    };
    const body = new ReadableStream(source, { highWaterMark: 0 });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
  return server;
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\n${event(data)}`;
const chat = (delta: object, finish_reason: string | null = null) =>
  event({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "any-model",
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
const google = (parts: readonly object[], fields: object = {}) =>
  event({ candidates: [{ index: 0, content: { role: "model", parts }, ...fields }] });
const usage = { input_tokens: 10, output_tokens: 20 };
const message = { type: "message", id: "m1", role: "assistant", content: [] };
const word = "word ";
const apiKey = "sk-measured-123456789";

interface MeasuredWire {
  readonly name: string;
  readonly protocol: TestedProtocol;
  alone(fetch: Fetch): LanguageModelV4;
  readonly begin: readonly string[];
  delta(): string;
  readonly end: readonly string[];
}

const wires: readonly MeasuredWire[] = [
  {
    name: "chat completions",
    protocol: "compatible",
    alone: (fetch) =>
      createOpenAICompatible({
        name: "test",
        baseURL: "https://server.test/v1",
        apiKey,
        fetch,
        includeUsage: true,
      }).languageModel("any-model"),
    begin: [chat({ role: "assistant", content: "" })],
    delta: () => chat({ content: word }),
    end: [chat({}, "stop"), "data: [DONE]\n\n"],
  },
  {
    name: "Responses",
    protocol: "responses",
    alone: (fetch) => createOpenAI({ apiKey, fetch }).responses("any-model"),
    begin: [
      event({ type: "response.created", response: { id: "r", created_at: 1, model: "m" } }),
      event({ type: "response.output_item.added", output_index: 0, item: message }),
    ],
    delta: () =>
      event({
        type: "response.output_text.delta",
        item_id: "m1",
        output_index: 0,
        content_index: 0,
        delta: word,
      }),
    end: [
      event({ type: "response.output_item.done", output_index: 0, item: message }),
      event({ type: "response.completed", response: { usage } }),
    ],
  },
  {
    name: "Anthropic",
    protocol: "anthropic",
    alone: (fetch) => createAnthropic({ apiKey, fetch }).languageModel("any-model"),
    begin: [
      named({ type: "message_start", message: { ...message, model: "m", usage } }),
      named({
        type: "content_block_start",
        index: 0,
        content_block: { type: "text", text: "" },
      }),
    ],
    delta: () =>
      named({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: word },
      }),
    end: [
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }),
      named({ type: "message_stop" }),
    ],
  },
  {
    name: "Google",
    protocol: "google",
    alone: (fetch) => createGoogle({ apiKey, fetch }).languageModel("any-model"),
    begin: [],
    delta: () => google([{ text: word }]),
    end: [google([], { finishReason: "STOP" })],
  },
];
