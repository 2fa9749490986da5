import type { UIMessageChunk } from "ai";
import { expect, it } from "vitest";
import { followRun } from "./run-stream";

const chunks: readonly UIMessageChunk[] = [
  { type: "start", messageId: "a1" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "one " },
  { type: "text-delta", id: "t", delta: "two " },
  { type: "text-delta", id: "t", delta: "three" },
  { type: "text-end", id: "t" },
  { type: "finish" },
];

type Connection = (after: number) => ReadableStream<UIMessageChunk> | null;

/** A connection that delivers `count` chunks, then breaks or closes. */
const giving =
  (count: number, end: "cut" | "closed"): Connection =>
  (after) => {
    const left = chunks.slice(after, after + count);
    return new ReadableStream({
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else if (end === "cut") controller.error(new TypeError("network error"));
        else controller.close();
      },
    });
  };
const failing =
  (statusCode: number): Connection =>
  () => {
    throw Object.assign(new Error("no"), { statusCode });
  };

async function follow(...connections: Connection[]) {
  const opened: number[] = [];
  const reconnecting: boolean[] = [];
  const stream = followRun({
    open: async (after) => {
      opened.push(after);
      return (connections.shift() ?? giving(chunks.length, "closed"))(after);
    },
    pause: () => Promise.resolve(),
    signal: new AbortController().signal,
    onReconnecting: (now) => reconnecting.push(now),
  });
  const received: UIMessageChunk[] = [];
  for await (const chunk of stream) received.push(chunk);
  return { received, opened, reconnecting };
}

it("passes on every chunk once and in order over broken connections", async () => {
  const { received, opened } = await follow(giving(2, "cut"), giving(0, "cut"), giving(3, "cut"));
  expect(received).toEqual(chunks);
  expect(opened).toEqual([0, 2, 2, 5]);
});

it("goes on after a connection that was closed in good order before the end", async () => {
  const { received, opened } = await follow(giving(4, "closed"));
  expect(received).toEqual(chunks);
  expect(opened).toEqual([0, 4]);
});

it("ends when a fresh connection has nothing new, so that nothing waits for ever", async () => {
  const { received } = await follow(giving(4, "closed"), giving(0, "closed"));
  expect(received).toEqual(chunks.slice(0, 4));
});

it("ends when the server no longer knows the run", async () => {
  const { received } = await follow(giving(1, "cut"), () => null);
  expect(received).toEqual(chunks.slice(0, 1));
});

it("waits out a server that is starting or busy, and says so", async () => {
  const { received, reconnecting } = await follow(failing(503), failing(429));
  expect(received).toEqual(chunks);
  expect(reconnecting).toEqual([true, true, false]);
});

it("gives up when the server refuses", async () => {
  await expect(follow(failing(403))).rejects.toThrow("no");
});
