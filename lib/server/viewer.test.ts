import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunStore } from "@/lib/chat/core/run-store";
import { followRun, LiveRun } from "@/lib/chat/runs/live-runs";
import { eventStream } from "./event-stream";
import { eventBody, eventsTo, Viewer } from "./viewer";

// A run in this process needs no store.
const runs = {} as RunStore;

/** A viewer of a run, as the route makes one. */
function view(run: LiveRun, closing: AbortSignal) {
  const request = new AbortController();
  const viewer = new Viewer([request.signal, closing]);
  const { signal } = viewer;
  const chunks = followRun({ runs, live: run, runId: "r1", part: 0, after: 0, signal });
  const reader = eventsTo(viewer, chunks).body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("The response has no body.");
  return { request, reader };
}

function listenersOf(run: LiveRun, closing: AbortSignal): number {
  return run.viewerCount + getEventListeners(closing, "abort").length;
}

test("An answer followed to its end leaves no listener", async () => {
  const [run, closing] = [new LiveRun(), new AbortController().signal];
  const { reader, request } = view(run, closing);
  const reading = reader.read();
  await setImmediate();
  expect(listenersOf(run, closing)).toBe(2);
  run.push({ type: "start" });
  expect((await reading).value).toBe('data: {"type":"start"}\n\n');
  run.end();
  expect((await reader.read()).value).toBe("data: [DONE]\n\n");
  expect((await reader.read()).done).toBe(true);
  expect(listenersOf(run, closing)).toBe(0);
  expect(getEventListeners(request.signal, "abort")).toHaveLength(0);
});

test("Chunks that are there together are one piece, and a late viewer gets them in pieces", async () => {
  const [run, closing] = [new LiveRun(), new AbortController().signal];
  const delta = (n: number) => ({ type: "text-delta", id: "t", delta: `${n}` }) as const;
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `data: ${JSON.stringify(delta(from + n))}\n\n`);
  for (let n = 0; n < 250; n++) run.push(delta(n));
  const { reader } = view(run, closing);
  for (const [from, to] of [
    [0, 100],
    [100, 200],
    [200, 250],
  ] as const)
    expect((await reader.read()).value).toBe(lines(from, to).join(""));
  const reading = reader.read();
  await setImmediate();
  for (const n of [250, 251]) run.push(delta(n));
  expect((await reading).value).toBe(lines(250, 252).join(""));
  await reader.cancel();
});

test("A viewer who leaves a silent answer leaves no listener", async () => {
  const [run, closing] = [new LiveRun(), new AbortController().signal];
  for (let n = 0; n < 20; n++) {
    const { reader, request } = view(run, closing);
    const reading = reader.read();
    await setImmediate();
    if (n % 2 === 0) request.abort();
    else await reader.cancel();
    await reading;
  }
  expect(listenersOf(run, closing)).toBe(0);
});

test("A page that leaves the event stream leaves no listener", async () => {
  const closing = new AbortController().signal;
  const request = new AbortController();
  let subscribed = 0;
  const response = eventStream(
    () => {
      subscribed++;
      return () => void subscribed--;
    },
    new Viewer([request.signal, closing]),
  );
  await response.body?.cancel();
  expect(subscribed).toBe(0);
  expect(getEventListeners(closing, "abort")).toHaveLength(0);
});

test("A subscriber that comes while the server ends is sent away without a listener", async () => {
  const listeners = new Set<unknown>();
  const subscribe = (send: unknown) => {
    listeners.add(send);
    return () => void listeners.delete(send);
  };
  const response = eventStream(subscribe, new Viewer([AbortSignal.abort()]));
  expect(await response.text()).toBe(": connected\n\n");
  expect(listeners.size).toBe(0);
});

async function* slowly(pauses: readonly number[]): AsyncGenerator<readonly number[]> {
  for (const [index, ms] of pauses.entries()) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield index % 2 === 0 ? [index] : [];
  }
}

const read = (pauses: readonly number[], quietMs?: number) =>
  new Response(
    eventBody(slowly(pauses), {
      end: "[DONE]",
      lineOf: (value) => `data: ${value}\n\n`,
      ...(quietMs !== undefined && { quietMs }),
    }),
  ).text();

test("a stream that is silent for long carries comments, and loses nothing", async () => {
  const text = await read([0, 0, 120], 30);
  expect(text.replace(/: waiting\n\n/g, "")).toBe("data: 0\n\ndata: 2\n\ndata: [DONE]\n\n");
  expect(text.split(": waiting\n\n").length - 1).toBeGreaterThanOrEqual(2);
});

test("one that is never silent for so long carries none", async () => {
  expect(await read([0, 0, 0], 5_000)).toBe("data: 0\n\ndata: 2\n\ndata: [DONE]\n\n");
  expect(await read([0, 0, 20])).toBe("data: 0\n\ndata: 2\n\ndata: [DONE]\n\n");
});
