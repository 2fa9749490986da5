import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { newReadCall } from "./answer-reader";
import { chatReader } from "./chat-reader";
import { readBody } from "./read-body";

const says = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;
const stop = says("", "stop");
const done = "data: [DONE]\n\n";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

/** Sends each text at its second, and nothing after them; the connection stays open. */
async function readOpen(
  sent: readonly (readonly [number, string])[],
): Promise<{ text: string; seconds: number | null }> {
  const call = newReadCall();
  const startedAt = performance.now();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const [at, text] of sent)
        setTimeout(() => controller.enqueue(encoder.encode(text)), at * 1_000);
    },
  });
  let text = "";
  let seconds: number | null = null;
  const reading = (async () => {
    const repaired = await readBody(body, chatReader(call), call);
    for await (const piece of repaired) text += new TextDecoder().decode(piece);
    seconds = (performance.now() - startedAt) / 1_000;
  })();
  for (let tenth = 0; tenth < 1_200 && seconds === null; tenth++) {
    await vi.advanceTimersByTimeAsync(100);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  }
  if (seconds !== null) await reading;
  return { text, seconds };
}

const everySecond = (text: string) =>
  Array.from({ length: 60 }, (_, n): [number, string] => [3 + n / 2, text]);

test.each([
  ["nothing", []],
  ["comments", everySecond(": still here\n\n")],
  ["pings", everySecond('data: {"type":"ping"}\n\n')],
  ["halves of an event", everySecond("x")],
])("an answer ends a second after its end, though the server goes on with %s", async (_, after) => {
  const { text, seconds } = await readOpen([[1, says("Hello")], [2, stop + done], ...after]);
  expect(text).toContain("Hello");
  expect(seconds).toBeGreaterThanOrEqual(3);
  expect(seconds).toBeLessThan(3.5);
});

test("an answer waits ten seconds for more when its reason stood beside words", async () => {
  const { text, seconds } = await readOpen([
    [1, says("Hello", "stop")],
    [8, says(" and more", "stop")],
    [17, says(" and the last", "stop")],
  ]);
  expect(text).toContain("and the last");
  expect(seconds).toBeGreaterThanOrEqual(27);
  expect(seconds).toBeLessThan(27.5);
});

test("words that follow the end within a second are kept", async () => {
  const { text } = await readOpen([
    [1, says("Hello") + stop],
    [1.9, says(" late")],
  ]);
  expect(text).toContain("late");
});
