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

  test("keeps thousands of tool calls, each with its result", async () => {
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

  test("is empty for an answer that ended before its first word", async () => {
    expect(await answerParts([start])).toEqual([]);
    expect(await answerParts([])).toEqual([]);
  });
});
