import type { UIMessageChunk } from "ai";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { temporarySpool } from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { Random } from "@/lib/text/testing/random";
import { ChunkRepair } from "./chunk-repair";
import { type Cut, type Entry, ended, type Reported, type Sent } from "./ended";
import { keptChunks } from "./kept-answer";
import { type Begun, firstLeg, newOrder, type Order } from "./order";
import { chunksOf } from "./recover-answer";
import { mutatedChunks, wellFormedChunks } from "./testing/chunk-sequences";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const numRuns = 6 * Number(process.env.GROVE_TEST_DEPTH ?? 1);

const order = newOrder({
  ...{ sessionId: "s", messageId: "answer", parentId: "question", model: "test/model" },
});

const stopped = { id: order.id, pause: null };
const price = { inputPerMillion: 3, outputPerMillion: 5 };
const tokens = { prompt: 10, messages: 20, tools: 30 };
const sent: Sent = { type: "sent", tokens, price, charged: price };

const allowed = {
  type: "dynamic-tool",
  toolName: "weather",
  toolCallId: "before",
  state: "approval-responded",
  input: { city: "Rome" },
  approval: { id: "approval", approved: true },
};

/** After a pause, at which its model had reported what it took. */
const resumed: Begun = {
  part: 1,
  before: {
    parts: [{ type: "step-start" }, { type: "text", text: "Let me look. " }, allowed],
    metadata: {
      ...{ status: "paused", inputTokens: 5, outputTokens: 7, cost: 0.5, thoughtMs: [3] },
      changedCalls: [{ toolCallId: "before", input: { city: "Bonn" } }],
    },
  },
};

const kept = keptChunks([{ type: "step-start" }, { type: "text", text: "Kept words " }]);

interface Kind {
  readonly order: Order;
  readonly begun: Begun;
  readonly first: readonly UIMessageChunk[];
}

const kinds: readonly [Kind, ...Kind[]] = [
  { order: { ...order, choice: "default" }, begun: firstLeg, first: [] },
  { order: { ...order, request: {} }, begun: firstLeg, first: [] },
  {
    order: { ...order, kept: { id: "cut", chunks: kept.length, thoughtMs: [8] } },
    begun: firstLeg,
    first: kept,
  },
  {
    order,
    begun: resumed,
    first: [{ type: "tool-output-available", toolCallId: "before", output: "Sunny" }],
  },
];

/** A log as a writer makes it, without its end. */
function logOf({ begun, first }: Kind, random: Random): UIMessageChunk[] {
  const whole = wellFormedChunks(random).filter(({ type }) => type !== "finish");
  const [start, ...rest] = random.below(3) === 0 ? mutatedChunks(whole, random) : whole;
  const repair = new ChunkRepair(begun.before?.parts);
  const given = [start, ...first, ...rest].flatMap((chunk) => repair.repaired(chunk));
  return given.filter(({ type }) => type !== "finish");
}

function reportOf(random: Random): Reported {
  const count = 1 + random.below(1_000);
  const usage = {
    ...{ inputTokens: count, outputTokens: 2 * count, totalTokens: 3 * count },
    inputTokenDetails: {
      ...{ noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  };
  const problem = { code: "network" as const, message: "Gone.", retryable: true };
  return {
    type: "reported",
    at: "2026-01-31T00:00:00.000Z",
    finishReason: random.of(["stop", "tool-calls", "length", "error"] as const),
    usage: random.below(3) === 0 ? undefined : usage,
    firstInputTokens: random.below(2) === 0 ? undefined : count,
    limit: random.below(9) === 0 ? "maxSteps" : null,
    problem: random.below(4) === 0 ? problem : null,
    thoughtMs: random.below(2) === 0 ? [] : [random.below(1_000)],
    leftOut: random.below(4) === 0 ? { refused: ["images"] } : null,
  };
}

const stalled = { code: "timeout" as const, message: "No progress.", retryable: true };
const cuts: readonly Cut[] = [
  { type: "cut", by: "person" },
  { type: "cut", by: "shutdown" },
  { type: "cut", by: "stall", problem: stalled },
  { type: "cut", by: "crash" },
];

function asStored<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

describe("a log cut at any entry, by any cause", () => {
  test("ends equally from memory, the database, the spool, and all of them together", {
    tags: "long",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = new Random(seed);
        const kind = random.of(kinds);
        const { order, begun } = kind;
        const log = logOf(kind, random);
        const spool = await temporarySpool();
        const stored = newOwner(database.sql);
        const behind = newOwner(database.sql);
        const address = { ownerId: behind.spaceId, runId: order.id, part: 0 };
        const failed = (error: unknown) => expect.unreachable(String(error));
        const endings = (chunks: readonly Entry[]) =>
          Promise.all(
            cuts.map(async (cut) => asStored(await ended(order, begun, [sent, ...chunks, cut]))),
          );
        for (let length = 0; length <= log.length; length++) {
          const memory = log.slice(0, length);
          const added = log.slice(length - 1, length);
          if (added.length > 0) {
            await stored.runs.appendChunks(order.id, length - 1, added);
            await spool.append(address, { from: length - 1, chunks: added });
          }
          // A database that was away has the beginning only.
          if (length === Math.floor(log.length / 3))
            await behind.runs.appendChunks(order.id, 0, memory);
          const fromMemory = await endings(memory);
          const sources = [
            await chunksOf(stored, stopped, { spool: null, failed }),
            await chunksOf(newOwner(database.sql), stopped, {
              spool: null,
              chunks: memory,
              failed,
            }),
            await chunksOf(behind, stopped, { spool, failed }),
          ];
          for (const chunks of sources) expect(await endings(chunks)).toEqual(fromMemory);
        }
      }),
      { numRuns },
    );
  });

  test("ends for its recovery as its writer had decided and logged", { tags: "long" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = new Random(seed);
        const kind = random.of(kinds);
        const { order, begun } = kind;
        const log = logOf(kind, random);
        const report = reportOf(random);
        for (let length = 0; length <= log.length; length++) {
          const chunks = log.slice(0, length);
          const [crash, ...others] = cuts.toReversed();
          for (const cut of [null, ...others]) {
            const written = await ended(order, begun, [
              sent,
              ...chunks,
              report,
              ...(cut ? [cut] : []),
            ]);
            const finish: UIMessageChunk = { type: "finish", messageMetadata: written.metadata };
            const found = [sent, ...asStored([...chunks, finish]), ...(crash ? [crash] : [])];
            const { usage, ...recovered } = asStored(await ended(order, begun, found));
            const { usage: writtenUsage, ...expected } = asStored(written);
            expect(recovered).toEqual(expected);
            expect(countsOf(usage)).toEqual(countsOf(writtenUsage));
          }
        }
      }),
      { numRuns: 3 * numRuns },
    );
  });
});

function countsOf(usage: Awaited<ReturnType<typeof ended>>["usage"]) {
  return usage && { ...usage, cost: undefined, charge: undefined };
}

describe("an answer that is cut off", () => {
  const call = { toolCallId: "c", toolName: "station__book", input: { city: "Rome" } };
  const called: UIMessageChunk[] = [
    { type: "start", messageId: "answer" },
    { type: "tool-input-available", ...call },
  ];

  test.each(cuts)(
    "by a $by says of a call that had begun that its result is unknown",
    async (cut) => {
      const { parts } = await ended(order, firstLeg, [...called, cut]);
      expect(parts).toMatchObject([
        { state: "output-error", errorText: expect.stringContaining("its result is unknown") },
      ]);
    },
  );

  test("leaves a call to the program that makes it", async () => {
    const ofProgram = { ...order, request: {} };
    const { parts } = await ended(ofProgram, firstLeg, [...called, { type: "cut", by: "crash" }]);
    expect(parts).toMatchObject([{ state: "input-available" }]);
  });

  const asking: UIMessageChunk[] = [
    ...called,
    { type: "tool-approval-request", toolCallId: "c", approvalId: "approval" },
  ];

  test("by the person while a call waits for them does not make it", async () => {
    const end = await ended(order, firstLeg, [...asking, { type: "cut", by: "person" }]);
    expect(end.parts).toMatchObject([{ state: "output-denied" }]);
    expect(end).toMatchObject({ pause: null, withdrawn: { calls: [{ toolCallId: "c" }] } });
  });

  test("by a crash while a call waits leaves the word to the person", async () => {
    const end = await ended(order, firstLeg, [...asking, { type: "cut", by: "crash" }]);
    expect(end.parts).toMatchObject([{ state: "approval-requested" }]);
    expect(end).toMatchObject({ pause: null, withdrawn: null });
  });

  test("after a pause keeps what its legs before have cost", async () => {
    const { metadata, parts } = await ended(order, resumed, [{ type: "cut", by: "person" }]);
    expect(parts).toHaveLength(3);
    expect(metadata).toEqual({
      ...{ status: "stopped", runId: "answer", model: "test/model" },
      ...{ inputTokens: 5, outputTokens: 7, cost: 0.5, thoughtMs: [3] },
      changedCalls: [{ toolCallId: "before", input: { city: "Bonn" } }],
    });
  });
});
