import type { UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { answerParts } from "./answer-message";

const start: UIMessageChunk = { type: "start", messageId: "a" };

describe("answerParts", () => {
  test("joins the deltas of texts and tool inputs, and closes a text that was cut off", async () => {
    const chunks: UIMessageChunk[] = [
      start,
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "Hel" },
      { type: "text-delta", id: "1", delta: "lo" },
      { type: "tool-input-start", toolCallId: "c", toolName: "search" },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"q":"a' },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: ' tree"' },
    ];
    expect(await answerParts(chunks)).toMatchObject([
      { type: "text", text: "Hello", state: "done" },
      { type: "tool-search", toolCallId: "c", state: "input-streaming", input: { q: "a tree" } },
    ]);
  });

  test("keeps thousands of tool calls, each with its result", { tags: "long" }, async () => {
    const calls = Array.from({ length: 2_000 }, (_, n) => `call-${n}`);
    const chunks: UIMessageChunk[] = [
      start,
      ...calls.map(
        (toolCallId): UIMessageChunk => ({
          type: "tool-input-available",
          toolCallId,
          toolName: "search",
          input: { query: toolCallId },
        }),
      ),
      ...calls.map(
        (toolCallId): UIMessageChunk => ({
          type: "tool-output-available",
          toolCallId,
          output: `found ${toolCallId}`,
        }),
      ),
    ];
    const before = process.threadCpuUsage();
    const parts = await answerParts(chunks);
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
    expect(parts).toHaveLength(2_000);
    expect(parts.at(-1)).toMatchObject({ toolCallId: "call-1999", output: "found call-1999" });
  });

  test("keeps the signature of a provider, whichever delta it came with", async () => {
    const signature = { google: { thoughtSignature: "s" } };
    const parts = await answerParts([
      start,
      { type: "reasoning-start", id: "1" },
      { type: "reasoning-delta", id: "1", delta: "So ", providerMetadata: signature },
      { type: "reasoning-delta", id: "1", delta: "then" },
      { type: "reasoning-end", id: "1" },
    ]);
    expect(parts).toMatchObject([{ text: "So then", providerMetadata: signature }]);
  });

  test("opens a part for a delta without a start, and drops an end without one", async () => {
    expect(
      await answerParts([
        start,
        { type: "text-end", id: "1" },
        { type: "text-delta", id: "1", delta: "Hel" },
        { type: "reasoning-delta", id: "1", delta: "Hm." },
        { type: "text-delta", id: "1", delta: "lo" },
        { type: "text-end", id: "1" },
        { type: "text-delta", id: "1", delta: "World" },
      ]),
    ).toMatchObject([
      { type: "text", text: "Hello" },
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "World" },
    ]);
  });

  test("keeps the input and the result of a call that never began", async () => {
    expect(
      await answerParts([
        { type: "tool-input-delta", toolCallId: "a", inputTextDelta: '{"q":"tree"}' },
        { type: "tool-output-available", toolCallId: "b", output: "found" },
      ]),
    ).toMatchObject([
      { type: "dynamic-tool", toolName: "unknown", toolCallId: "a", input: { q: "tree" } },
      { type: "dynamic-tool", toolName: "unknown", toolCallId: "b", output: "found" },
    ]);
  });

  test("keeps both of two calls with one id, each with its own result", async () => {
    const call = { type: "tool-input-available", toolCallId: "call", toolName: "search" } as const;
    expect(
      await answerParts([
        { ...call, input: { q: "oak" } },
        { ...call, input: { q: "elm" } },
        { type: "tool-output-available", toolCallId: "call", output: "oaks" },
        { type: "tool-output-available", toolCallId: "call", output: "elms" },
      ]),
    ).toMatchObject([
      { toolCallId: "call", input: { q: "oak" }, output: "oaks" },
      { toolCallId: "call-2", input: { q: "elm" }, output: "elms" },
    ]);
  });

  test("does not wait for the person about a call that never began", async () => {
    const asked = { type: "tool-approval-request", approvalId: "x", toolCallId: "a" };
    expect(await answerParts([start, asked])).toEqual([]);
  });

  test("keeps a result that is nested too deeply to be read as text", async () => {
    const output = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`);
    const call = { type: "tool-input-available", toolCallId: "a", toolName: "search", input: {} };
    const parts = await answerParts([
      call,
      { type: "tool-output-available", toolCallId: "a", output },
    ]);
    expect(parts).toMatchObject([{ output: JSON.stringify(output) }]);
  });

  test("keeps texts even after parts that the SDK's reader refuses", async () => {
    const before = [{ type: "text", text: "Before. ", odd: () => 0 }];
    const parts = await answerParts([{ type: "text-delta", id: "1", delta: "After." }], before);
    expect(parts.map(({ text }) => text)).toEqual(["Before. ", "After."]);
  });

  test("is empty for an answer that ended before its first word", async () => {
    expect(await answerParts([start])).toEqual([]);
    expect(await answerParts([])).toEqual([]);
  });
});
