import { createUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import type { SessionMessagePart } from "grove-session";
import { describe, expect, test } from "vitest";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { answerParts } from "./answer-message";
import { type LooseChunk, mutatedChunks, wellFormedChunks } from "./testing/chunk-sequences";

describe("an answer", () => {
  test("of a well-formed sequence of chunks has the parts that the SDK's reader makes", () =>
    trySeeds(50, async (random) => {
      const sequence = wellFormedChunks(random);
      const parts = await answerParts(sequence);
      expect(parts).toEqual((await readBySdk(sequence)).map(asEnded));
      expectEverything(parts, sequence);
    }));

  test("of any sequence of chunks has all its words and results", () =>
    trySeeds(50, async (random) => {
      const sequence = mutatedChunks(wellFormedChunks(random), random);
      expectEverything(await answerParts(sequence), sequence);
    }));
});

function expectEverything(
  parts: readonly SessionMessagePart[],
  sequence: readonly unknown[],
): void {
  for (const type of ["text", "reasoning"] as const) {
    const texts = parts.filter((part) => part.type === type).map(({ text }) => String(text));
    const words = wordsIn(sequence, type);
    // Words may stand in another order, none twice.
    expect(texts.join("")).toHaveLength(words.join("").length);
    expect(words.filter((word) => !texts.join("").includes(word))).toEqual([]);
  }
  const stored = JSON.stringify(parts);
  expect(resultsIn(sequence).filter((result) => !stored.includes(result))).toEqual([]);
  expect("polluted" in {}).toBe(false);
}

async function readBySdk(sequence: readonly UIMessageChunk[]): Promise<SessionMessagePart[]> {
  const read = Promise.withResolvers<UIMessage>();
  const stream = createUIMessageStream({
    execute: ({ writer }) => {
      for (const chunk of sequence) writer.write(chunk);
    },
    onEnd: ({ responseMessage }) => read.resolve(responseMessage),
  });
  await stream.pipeTo(new WritableStream());
  return (await read.promise).parts as unknown as SessionMessagePart[];
}

/** Grove ends cut-off parts, and keeps no progress as a result. */
function asEnded(part: SessionMessagePart): SessionMessagePart {
  if (part.preliminary === true) {
    const { preliminary: _, output: __, ...call } = part;
    return { ...call, type: part.type, state: "input-available" };
  }
  const isOpen = (part.type === "text" || part.type === "reasoning") && part.state === "streaming";
  return isOpen ? { ...part, state: "done" } : part;
}

function isChunk(value: unknown): value is LooseChunk {
  return typeof value === "object" && value !== null;
}

function wordsIn(sequence: readonly unknown[], kind: "text" | "reasoning"): string[] {
  return sequence.filter(isChunk).flatMap(({ type, delta }) => {
    if (type !== `${kind}-delta`) return [];
    return typeof delta === "string" || typeof delta === "number" ? [String(delta)] : [];
  });
}

function resultsIn(sequence: readonly unknown[]): string[] {
  return sequence.filter(isChunk).flatMap(({ type, output, errorText, preliminary }) => {
    if (type === "tool-output-error" && typeof errorText === "string") return [quoted(errorText)];
    if (type !== "tool-output-available" || preliminary === true) return [];
    if (typeof output === "string") return [quoted(output)];
    const found = isChunk(output) ? output.found : undefined;
    return typeof found === "string" ? [quoted(found)] : [];
  });
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
