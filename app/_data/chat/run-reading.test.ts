import type { UIMessageChunk } from "ai";
import { afterEach, expect, it, vi } from "vitest";
import { readSoon, runReading } from "./run-reading";
import { offerAnswer } from "./run-stream";

const plain: readonly UIMessageChunk[] = [
  { type: "start", messageId: "a1" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Grüße " },
  { type: "text-delta", id: "t", delta: "all" },
  { type: "text-end", id: "t" },
  { type: "finish" },
];
const withTool: readonly UIMessageChunk[] = [
  ...plain.slice(0, -1),
  { type: "tool-input-start", toolCallId: "c", toolName: "search_context" },
  { type: "finish" },
];

/** Answers each request with the events of `chunks`, cut into pieces of a few bytes. */
function serve(chunks: readonly UIMessageChunk[]) {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  const bytes = new TextEncoder().encode(`${events}data: [DONE]\n\n`);
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    requests.push(address);
    let place = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (place >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(place, place + 7));
        place += 7;
      },
    });
    return new Response(body);
  });
  return requests;
}

afterEach(() => vi.unstubAllGlobals());

it("reads an answer to its end from pieces of any size", async () => {
  serve(plain);
  const reading = runReading({ id: "r1", sessionId: "s", part: 0 });
  reading.retain();
  await vi.waitFor(() => expect(reading.state.read().isEnded).toBe(true));
  expect(reading.state.read()).toMatchObject({
    isPlain: true,
    message: { id: "a1", parts: [{ type: "text", text: "Grüße all", state: "done" }] },
  });
});

it("gives the row the reading that began before it", async () => {
  const requests = serve(plain);
  readSoon({ id: "r2", sessionId: "s", part: 0 });
  const reading = runReading({ id: "r2", sessionId: "s", part: 0 });
  reading.retain();
  await vi.waitFor(() => expect(reading.state.read().isEnded).toBe(true));
  expect(requests).toEqual(["/api/sessions/s/runs/r2/stream?after=0&part=0"]);
});

it("reads an answer on the connection of its message, and leaves that when nobody reads it", async () => {
  vi.useFakeTimers();
  const requests = serve(plain);
  const [read, unread] = [vi.fn(), vi.fn()];
  const sent = () => {
    const start = (controller: ReadableStreamDefaultController<UIMessageChunk>) => {
      for (const chunk of plain) controller.enqueue(chunk);
      controller.close();
    };
    return new ReadableStream<UIMessageChunk>({ start });
  };
  offerAnswer("r5", { chunks: sent(), leave: read });
  offerAnswer("r6", { chunks: sent(), leave: unread });
  const reading = runReading({ id: "r5", sessionId: "s", part: 0 });
  const release = reading.retain();
  await vi.advanceTimersByTimeAsync(0);
  await vi.waitFor(() => expect(reading.state.read().isEnded).toBe(true));
  expect(reading.state.read().message?.parts).toMatchObject([{ text: "Grüße all" }]);
  expect(unread).toHaveBeenCalledOnce();
  expect(read).not.toHaveBeenCalled();
  release();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(read).toHaveBeenCalledOnce();
  readSoon({ id: "r6", sessionId: "s", part: 0 });
  await vi.waitFor(() =>
    expect(requests).toEqual(["/api/sessions/s/runs/r6/stream?after=0&part=0"]),
  );
  vi.useRealTimers();
});

it("leaves an answer that goes on after a pause to the reader that knows its calls", async () => {
  serve(plain);
  const reading = runReading({ id: "r4", sessionId: "s", part: 1 });
  reading.retain();
  await vi.waitFor(() => expect(reading.state.read().isEnded).toBe(true));
  expect(reading.state.read()).toMatchObject({ isPlain: false, message: null });
});

it("replays every chunk of an answer that calls a tool, for the reader that knows them", async () => {
  serve(withTool);
  const reading = runReading({ id: "r3", sessionId: "s", part: 0 });
  reading.retain();
  const replayed: UIMessageChunk[] = [];
  for await (const chunk of reading.replay()) replayed.push(chunk);
  expect(replayed).toEqual(withTool);
  expect(reading.state.read().isPlain).toBe(false);
});
