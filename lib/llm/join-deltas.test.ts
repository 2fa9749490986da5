import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { convertArrayToReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { joinDeltas } from "./join-deltas";

type Part = LanguageModelV4StreamPart;

const delta = (text: string, id = "1"): Part => ({ type: "text-delta", id, delta: text });
const signed: Part = { ...delta("!"), providerMetadata: { test: { signature: "s" } } } as Part;

test("Deltas of one turn become one, and keep their order among others", async () => {
  const source = convertArrayToReadableStream<Part>([
    ...[delta("a"), delta("b"), delta("c", "2"), delta("d"), signed, delta("e")],
    { type: "text-end", id: "1" },
  ]);
  expect(await Array.fromAsync(joinDeltas(source))).toEqual([
    delta("ab"),
    delta("c", "2"),
    { ...signed, delta: "d!" },
    delta("e"),
    { type: "text-end", id: "1" },
  ]);
});

test("A stream that breaks off passes on the text before its error", async () => {
  const left = [delta("a"), delta("b")];
  const source = new ReadableStream<Part>(
    {
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else controller.error(new Error("Gone."));
      },
    },
    { highWaterMark: 0 },
  );
  const reader = joinDeltas(source).getReader();
  expect((await reader.read()).value).toEqual(delta("ab"));
  await expect(reader.read()).rejects.toThrow("Gone.");
});

test("A delta waits for no later one, and leaving a silent stream closes it", async () => {
  let reason: unknown = null;
  const source = new ReadableStream<Part>({
    start: (controller) => controller.enqueue(delta("a")),
    cancel: (given) => {
      reason = given;
    },
  });
  const reader = joinDeltas(source).getReader();
  expect((await reader.read()).value).toEqual(delta("a"));
  const reading = reader.read();
  await reader.cancel("left");
  expect((await reading).done).toBe(true);
  expect(reason).toBe("left");
});
