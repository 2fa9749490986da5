import type { UIMessageChunk } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import {
  eventTypes,
  type FoundResponse,
  responseObject,
  stateOf,
  storedRequest,
  writerOf,
} from "@/lib/chat/programs/response-object";
import { chunksOf, type ResponseEvent } from "@/lib/chat/programs/response-writer";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { EventOrder } from "./testing/event-order";
import { responseEvent } from "./testing/published-schemas";

const run: RunRecord = {
  id: "run",
  kind: "answer",
  sessionId: "session",
  messageId: "run",
  parentId: "question",
  model: "test/model",
  status: "complete",
  plan: null,
  pause: null,
  fence: 0,
  request: null,
  personId: null,
  keyId: "key",
  problem: null,
  startedAt: new Date(0),
  finishedAt: new Date(1_000),
};
const request = storedRequest.parse({
  call: { instructions: "", usesMemory: true, tools: [{ name: "own" }] },
  developer: [],
  inputIds: [],
  instructions: null,
  previousId: null,
  conversation: false,
  background: false,
  store: true,
  metadata: {},
});
const found: FoundResponse = { owner: {} as OwnerData, run, request };

const pieces = fc.array(fc.string(), { maxLength: 5 });
const ending = fc.boolean();

/** The chunks of one part of an answer, whole or cut off. */
const part = (id: string): fc.Arbitrary<UIMessageChunk[]> =>
  fc.oneof(
    fc
      .record({ kind: fc.constantFrom("text", "reasoning"), pieces, ending })
      .map((said) => [
        { type: `${said.kind}-start`, id } as const,
        ...said.pieces.map((delta) => ({ type: `${said.kind}-delta`, id, delta }) as const),
        ...(said.ending ? [{ type: `${said.kind}-end`, id } as const] : []),
      ]),
    fc
      .record({
        toolName: fc.constantFrom("own", "grove_tool"),
        input: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
        isStreamed: fc.boolean(),
        state: fc.constantFrom("started", "asked", "answered", "failed", "unreadable"),
      })
      .map(({ toolName, input, isStreamed, state }) =>
        callChunks(id, { toolName, input, isStreamed, state }),
      ),
  );

function callChunks(
  toolCallId: string,
  call: { toolName: string; input: object; isStreamed: boolean; state: string },
): UIMessageChunk[] {
  const { toolName, input, isStreamed, state } = call;
  const text = JSON.stringify(input);
  const half = Math.floor(text.length / 2);
  const streamed: UIMessageChunk[] = [
    { type: "tool-input-start", toolCallId, toolName },
    ...[text.slice(0, half), text.slice(half)].map(
      (inputTextDelta) => ({ type: "tool-input-delta", toolCallId, inputTextDelta }) as const,
    ),
  ];
  const begun = isStreamed || state === "started" ? streamed : [];
  if (state === "started") return begun;
  if (state === "unreadable")
    return [
      ...begun,
      { type: "tool-input-error", toolCallId, toolName, input: text, errorText: "Unreadable" },
    ];
  const asked: UIMessageChunk[] = [
    ...begun,
    { type: "tool-input-available", toolCallId, toolName, input },
  ];
  if (state === "asked" || toolName === "own") return asked;
  return state === "failed"
    ? [...asked, { type: "tool-output-error", toolCallId, errorText: "Failed" }]
    : [...asked, { type: "tool-output-available", toolCallId, output: input }];
}

/** Parts one after the other, or two at once, as of parallel tools. */
const answer = fc
  .array(fc.tuple(fc.nat(99), fc.boolean()), { maxLength: 8 })
  .chain((parts) =>
    fc.tuple(
      ...parts.map(([, mixes], index) => part(`${index}`).map((chunks) => ({ chunks, mixes }))),
    ),
  )
  .map((parts) => {
    const all: UIMessageChunk[] = [];
    for (const { chunks, mixes } of parts) {
      const isMixed = mixes && all.length > 1;
      all.splice(isMixed ? all.length - 1 : all.length, 0, ...chunks);
    }
    return all;
  });

const end: fc.Arbitrary<GroveMetadata> = fc.constantFrom(
  { status: "complete", inputTokens: 3, outputTokens: 2 },
  { status: "stopped" },
  { status: "interrupted" },
  { status: "failed", error: { code: "rate-limited", message: "Wait.", retryable: true } },
  { status: "failed", error: { code: "cut", message: "Cut.", retryable: false } },
  { status: "failed", error: { code: "context-overflow", message: "Long.", retryable: false } },
  { status: "failed", error: { code: "bad-request", message: "No.", retryable: false } },
  { status: "failed", error: { code: "refused", message: "No.", retryable: false } },
);

function eventsOf(chunks: readonly UIMessageChunk[], metadata: GroveMetadata): ResponseEvent[] {
  const writer = writerOf(found);
  const begun = writer.begin(responseObject(found, { status: "in_progress", output: [] }));
  const written = chunks.flatMap((chunk) => writer.take(chunk));
  const state = stateOf(metadata);
  const ended = writer.end(eventTypes[state.status], () =>
    responseObject(found, { ...state, output: writer.output, end: metadata }),
  );
  return [...begun, ...written, ...ended];
}

test("every answer makes events as OpenAI publishes them, in the order of its specification", {
  tags: "long",
}, () => {
  fc.assert(
    fc.property(answer, end, (chunks, metadata) => {
      const order = new EventOrder();
      for (const event of eventsOf(chunks, metadata)) order.read(responseEvent.parse(event));
      expect(order.hasEnded).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("the same chunks make the same events", () => {
  fc.assert(
    fc.property(answer, end, (chunks, metadata) => {
      expect(eventsOf(chunks, metadata)).toEqual(eventsOf(chunks, metadata));
    }),
  );
});

test("an answer whose chunks are gone has the items that its chunks made", () => {
  const parts = [
    { type: "reasoning", text: "Think" },
    { type: "text", text: "Say" },
    { type: "tool-search", toolCallId: "1", state: "output-available", input: {}, output: "x" },
    { type: "tool-search", toolCallId: "2", state: "output-error", input: {}, errorText: "no" },
    { type: "dynamic-tool", toolName: "own", toolCallId: "3", state: "input-available", input: {} },
  ];
  const events = eventsOf(chunksOf(parts), { status: "complete" });
  const order = new EventOrder();
  for (const event of events) order.read(responseEvent.parse(event));
  expect(events.at(-1)).toMatchObject({ response: { output: { length: 5 } } });
});
