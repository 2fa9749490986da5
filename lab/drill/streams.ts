import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { Random } from "@/lab/bench/random";
import {
  modelOf,
  type ReadAnswer,
  readModel,
  type TestedProtocol,
} from "@/lib/llm/testing/streamed-answer";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import type { FakeWire } from "./fake-wires";
import { type MutatedStream, mutatedStream } from "./mutated-stream";
import { StandStill } from "./stand-still";

const atOnce = 16;
const latestEndMs = 2_000;
const neverMs = 30_000;

export const streams: Drill = {
  name: "streams",
  promise:
    "Whatever a model server sends, every word that arrives whole is kept, the answer ends within 2 s of the last byte, and its end is named in plain words.",
  unit: "mutated streams",
  fullCount: 40_000,
  run: runStreams,
};

/** Streams of four protocols in turn, over loopback, through the models as the app makes them. */
export async function runStreams({ count, seed, signal, say }: DrillOptions): Promise<DrillResult> {
  const server = await startStreamServer();
  const broken: string[] = [];
  const figures = {
    "words kept": 0,
    "complete answers": 0,
    "other ends": 0,
    "longest end (ms)": 0,
    "longest end less standstills (ms)": 0,
  };
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count && !signal.aborted; n = next++) {
      if (n > 0 && n % 2_000 === 0) say(`${n} of ${count}`);
      const stream = mutatedStream(n, new Random(seed + n));
      const asked = await server.ask(stream);
      const { answer, lateMs, ownMs } = asked;
      figures["words kept"] += stream.words.length;
      figures[answer?.problem === null ? "complete answers" : "other ends"]++;
      figures["longest end (ms)"] = Math.max(figures["longest end (ms)"], lateMs);
      const longest = figures["longest end less standstills (ms)"];
      figures["longest end less standstills (ms)"] = Math.max(longest, ownMs);
      const place = `Stream ${n} of ${stream.wire.name} (seed ${seed})`;
      const problems = problemsOf(stream, asked);
      broken.push(...problems.map((text) => `${place}: ${text} ${bytesOf(stream)}`));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await server.close();
  }
  return { broken, figures };
}

interface Asked {
  /** `null` when it did not end. */
  readonly answer: ReadAnswer | null;
  /** After the last byte. */
  readonly lateMs: number;
  /** Less the time in which this process stood still, as other processes ran. */
  readonly ownMs: number;
}

const dump = /validation|invalid_|"path"|"expected"|zod|expected string|\bAI_|JSON parsing failed/i;

function problemsOf({ words, isComplete }: MutatedStream, { answer, ownMs }: Asked): string[] {
  if (!answer) return ["The answer did not end."];
  const { text, thought, problem } = answer;
  const lost = words.filter((word) => !text.includes(word) && !thought.includes(word));
  // An answer without words is reported as such.
  const isEnded = !isComplete || problem === null || problem.includes("empty answer");
  return [
    ...(lost.length === 0 ? [] : [`${lost.join(", ")} of ${words.length} words are lost.`]),
    ...(isEnded ? [] : [`It ended, and is called incomplete: ${problem}`]),
    ...(answer.finish !== "" || problem !== null ? [] : ["It has no end."]),
    ...(problem !== null && dump.test(problem) ? [`A schema is shown: ${problem}`] : []),
    ...(ownMs <= latestEndMs ? [] : [`It ended ${Math.round(ownMs)} ms after the last byte.`]),
  ];
}

/** Bytes to copy into a test of the reader. */
function bytesOf({ pieces }: MutatedStream): string {
  return `It was ${JSON.stringify(Buffer.concat(pieces).toString())}`;
}

interface StreamServer {
  ask(stream: MutatedStream): Promise<Asked>;
  close(): Promise<void>;
}

interface Reply {
  readonly stream: MutatedStream;
  lastByteAt: number;
  /** Time the process could not run until then. */
  stoodStillMs: number;
}

async function startStreamServer(): Promise<StreamServer> {
  const replies = new Map<string, Reply>();
  const still = new StandStill();
  const http = createServer((request, response) => {
    const reply = replies.get(request.url?.split("/")[1] ?? "");
    if (!reply) return void response.writeHead(404).end();
    request.resume();
    void send(reply, { response, still });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  let asked = 0;
  return {
    ask: async (stream) => {
      const key = String(asked++);
      const reply = { stream, lastByteAt: performance.now(), stoodStillMs: still.totalMs };
      replies.set(key, reply);
      const baseUrl = `http://127.0.0.1:${address.port}/${key}${stream.wire.path}`;
      const answer = await inTime(readModel(modelOf(protocolOf(stream.wire), { baseUrl })));
      replies.delete(key);
      const lateMs = performance.now() - reply.lastByteAt;
      const ownMs = Math.max(0, lateMs - (still.totalMs - reply.stoodStillMs));
      return { answer, lateMs, ownMs };
    },
    close: async () => {
      still.end();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

async function send(
  reply: Reply,
  { response, still }: { readonly response: ServerResponse; readonly still: StandStill },
): Promise<void> {
  const { pieces, staysOpen } = reply.stream;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const piece of pieces) {
    if (response.destroyed) break;
    response.write(piece);
    reply.lastByteAt = performance.now();
    await setImmediate();
  }
  reply.lastByteAt = performance.now();
  reply.stoodStillMs = still.totalMs;
  if (!staysOpen) response.end();
}

function protocolOf({ provider: { kind, api } }: FakeWire): TestedProtocol {
  if (kind === "anthropic" || kind === "google") return kind;
  if (kind === "openai") return api;
  return "compatible";
}

async function inTime<Value>(awaited: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), neverMs);
  try {
    return await Promise.race([awaited, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
