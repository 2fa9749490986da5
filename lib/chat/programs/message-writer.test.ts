import type { UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { MessageWriter } from "./message-writer";
import { type FoundResponse, storedRequest } from "./response-object";

const request = storedRequest.parse({
  call: { instructions: "", usesMemory: true, tools: [{ name: "one" }, { name: "other" }] },
  ...{ developer: [], inputIds: [], instructions: null, previousId: null, metadata: {} },
  ...{ conversation: false, background: false, store: true },
});
const run = { id: "run", model: "m" } as unknown as RunRecord;
const found: FoundResponse = { owner: {} as OwnerData, run, request };

function written(chunks: readonly UIMessageChunk[], end: GroveMetadata = { status: "complete" }) {
  const writer = new MessageWriter(found, { showsThoughts: true });
  const all: UIMessageChunk[] = [...chunks, { type: "finish", messageMetadata: end }];
  const events = all.flatMap((chunk) => writer.take(chunk));
  return { events: [...events, ...writer.end()], whole: writer.whole() };
}

const input = (toolCallId: string, inputTextDelta: string): UIMessageChunk => ({
  type: "tool-input-delta",
  toolCallId,
  inputTextDelta,
});
const begun = (toolCallId: string, toolName: string): UIMessageChunk => ({
  type: "tool-input-start",
  toolCallId,
  toolName,
});
const called = (toolCallId: string, toolName: string): UIMessageChunk => ({
  type: "tool-input-available",
  toolCallId,
  toolName,
  input: { a: 1 },
});

test("calls whose chunks alternate are blocks one after the other", () => {
  const { events, whole } = written([
    begun("a", "one"),
    begun("b", "other"),
    input("a", '{"a"'),
    input("b", '{"a":1}'),
    input("a", ":1}"),
    called("b", "other"),
    called("a", "one"),
  ]);
  expect(
    events.flatMap(({ index, type, delta }) =>
      index === undefined
        ? []
        : [[index, type, (delta as { partial_json?: string })?.partial_json]],
    ),
  ).toEqual([
    [0, "content_block_start", undefined],
    [0, "content_block_delta", '{"a"'],
    [0, "content_block_delta", ":1}"],
    [0, "content_block_stop", undefined],
    [1, "content_block_start", undefined],
    [1, "content_block_delta", '{"a":1}'],
    [1, "content_block_stop", undefined],
  ]);
  expect(whole).toMatchObject({
    content: [
      { type: "tool_use", id: "a", name: "one", input: { a: 1 } },
      { type: "tool_use", id: "b", name: "other", input: { a: 1 } },
    ],
    stop_reason: "tool_use",
  });
});

test("calls of Grove's own tools are no blocks, and text after them is another one", () => {
  const { whole } = written([
    { type: "text-delta", id: "t", delta: "Let me look. " },
    { type: "text-end", id: "t" },
    begun("g", "search_chats"),
    called("g", "search_chats"),
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Found." },
  ]);
  expect(whole).toMatchObject({
    content: [
      { type: "text", text: "Let me look. " },
      { type: "text", text: "Found." },
    ],
    stop_reason: "end_turn",
  });
});

test("Claude's signatures of its thoughts, and the thoughts it hides, are passed on", () => {
  const signed = { anthropic: { signature: "sig" } };
  const { events, whole } = written([
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "Hm." },
    { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signed },
    { type: "reasoning-end", id: "r" },
    {
      type: "reasoning-start",
      id: "h",
      providerMetadata: { anthropic: { redactedData: "hidden" } },
    },
    { type: "reasoning-end", id: "h" },
  ]);
  expect(whole).toMatchObject({
    content: [
      { type: "thinking", thinking: "Hm.", signature: "sig" },
      { type: "redacted_thinking", data: "hidden" },
    ],
  });
  expect(events).toContainEqual({
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "sig" },
  });
});

test.each([
  [{ status: "failed", error: { code: "cut" } }, "max_tokens"],
  [{ status: "failed", error: { code: "refused" } }, "refusal"],
  [{ status: "stopped" }, "end_turn"],
] as const)("an answer that ended as %o has the reason %s", (end, reason) => {
  const { whole } = written([{ type: "text-delta", id: "t", delta: "A" }], end as GroveMetadata);
  expect(whole.stop_reason).toBe(reason);
});

test.each([
  ["rate-limited", 429],
  ["overloaded", 502],
  ["context-overflow", 400],
] as const)("an answer that failed as %s is an error with status %i", (code, status) => {
  const error = { code, message: "It failed.", retryable: true };
  expect(() => written([], { status: "failed", error })).toThrow(
    expect.objectContaining({ status }),
  );
});
