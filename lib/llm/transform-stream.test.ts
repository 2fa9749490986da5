import { convertArrayToReadableStream } from "ai/test";
import { expect, test } from "vitest";
import { transformStream } from "./transform-stream";

test("Each item becomes none, one or several, and the last word is the flush", async () => {
  const doubled = transformStream(convertArrayToReadableStream([1, 2, 3, 4]), {
    transform(item, output) {
      if (item % 2 === 1) return;
      output.enqueue(item);
      output.enqueue(item * 10);
    },
    flush: (output) => output.enqueue(0),
  });
  expect(await Array.fromAsync(doubled)).toEqual([2, 20, 4, 40, 0]);
});

test("Its source ends when it does, from either side", async () => {
  const cancelled: unknown[] = [];
  const endless = () =>
    new ReadableStream<number>({
      pull: (controller) => controller.enqueue(1),
      cancel: (reason) => void cancelled.push(reason),
    });
  const untilFirst = transformStream(endless(), {
    transform(item, output) {
      output.enqueue(item);
      output.terminate();
    },
  });
  expect(await Array.fromAsync(untilFirst)).toEqual([1]);
  const left = transformStream(endless(), { transform: (item, { enqueue }) => enqueue(item) });
  await left.cancel("Left.");
  expect(cancelled).toEqual([undefined, "Left."]);
});

test("An error of its source comes after the items before it", async () => {
  const left = [1, 2];
  const source = new ReadableStream<number>({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.error(new Error("Gone."));
      else controller.enqueue(next);
    },
  });
  const reader = transformStream(source, {
    transform: (item, { enqueue }) => enqueue(item),
  }).getReader();
  expect((await reader.read()).value).toBe(1);
  expect((await reader.read()).value).toBe(2);
  await expect(reader.read()).rejects.toThrow("Gone.");
});

test("Streams made of each other pass on every item, the end and the leaving of the last", async () => {
  const cancelled: unknown[] = [];
  const numbers = (count: number) => {
    let n = 0;
    return new ReadableStream<number>({
      pull: (controller) => (n < count ? controller.enqueue(n++) : controller.close()),
      cancel: (reason) => void cancelled.push(reason),
    });
  };
  const plusOne = (stream: ReadableStream<number>) =>
    transformStream(stream, {
      transform: (item, { enqueue }) => enqueue(item + 1),
      flush: ({ enqueue }) => enqueue(0),
    });
  expect(await Array.fromAsync(plusOne(plusOne(numbers(3))))).toEqual([2, 3, 4, 1, 0]);
  const inner = plusOne(numbers(9));
  const outer = plusOne(inner);
  expect(inner.locked).toBe(true);
  await outer.cancel("Left.");
  expect(cancelled).toEqual(["Left."]);
});
