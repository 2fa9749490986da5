import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { convertArrayToReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { wellFormedParts } from "./well-formed-parts";

type Part = LanguageModelV4StreamPart;

function repaired(parts: Part[]): Promise<Part[]> {
  return Array.fromAsync(wellFormedParts(convertArrayToReadableStream(parts)));
}

test("A delta without a start opens its part, and an end without one is dropped", async () => {
  const text: Part = { type: "text-delta", id: "1", delta: "Hello" };
  const thought: Part = { type: "reasoning-delta", id: "1", delta: "Hm." };
  const end: Part = { type: "text-end", id: "1" };
  expect(await repaired([end, text, thought, text, end, text])).toEqual([
    { type: "text-start", id: "1" },
    text,
    { type: "reasoning-start", id: "1" },
    thought,
    text,
    end,
    { type: "text-start", id: "1" },
    text,
  ]);
});

test("A well-formed stream stays as it is", async () => {
  const parts: Part[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "__proto__" },
    { type: "text-delta", id: "__proto__", delta: "Hello" },
    { type: "text-end", id: "__proto__" },
    { type: "tool-input-delta", id: "call", delta: "{}" },
  ];
  expect(await repaired(parts)).toEqual(parts);
});
