import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import type { FakeWire } from "./testing/fake-wires";
import { type MutatedStream, mutatedStream } from "./testing/mutated-stream";
import { StandStill } from "./testing/stand-still";
import {
  modelOf,
  type ReadAnswer,
  readModel,
  type TestedProtocol,
} from "./testing/streamed-answer";

const latestEndMs = 2_000;
const neverMs = 30_000;

let server: StreamServer;

beforeAll(async () => {
  server = await startStreamServer();
});
afterAll(() => server.close());

test(
  "a mutated stream keeps each word that arrives whole, and ends in time and in plain words",
  { tags: "long" },
  () =>
    trySeeds(48, async (random, seed) => {
      const stream = mutatedStream(seed, random);
      const problems = problemsOf(stream, await server.ask(stream));
      // The bytes can be copied into a test of the reader.
      const bytes = JSON.stringify(Buffer.concat(stream.pieces).toString());
      expect(problems, `${stream.wire.name} sent ${bytes}`).toEqual([]);
    }),
);

interface Asked {
  /** `null` when it did not end. */
  readonly answer: ReadAnswer | null;
  /** Milliseconds after the last byte. */
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
