import { describe, expect, it, vi } from "vitest";
import { entry } from "@/app/_data/testing/wire-builders";
import { deliver, sendRequestOf } from "./deliver";
import { newOutgoing } from "./outbox";

const outgoing = newOutgoing({ sessionId: "s/1", text: "hello", expectedLeaf: "a1" });
const acknowledgement = { entry: entry("q1", null), run: null };

type Reply = () => Response;
const stored: Reply = () => Response.json(acknowledgement, { status: 201 });
const lost: Reply = () => {
  throw new TypeError("fetch failed");
};
const failing = (status: number, code = "code"): Reply => {
  const error = { code, message: `Sentence ${status}.` };
  return () => Response.json({ error }, { status });
};

/** A server with these replies in order. */
function serverOf(...replies: Reply[]) {
  const requests: { path: string; body: unknown }[] = [];
  const server = async (path: string, init: RequestInit): Promise<Response> => {
    requests.push({ path, body: JSON.parse(String(init.body)) });
    return (replies.shift() ?? stored)();
  };
  return { requests, fetch: server };
}

const quickly = { pause: () => Promise.resolve(), signal: new AbortController().signal };

describe("delivery", () => {
  it("sends the same ids again until the server answers", async () => {
    const { fetch, requests } = serverOf(lost, failing(503), failing(429), stored);
    const delivery = await deliver(outgoing, { fetch, ...quickly });
    expect(delivery).toEqual({ kind: "acknowledged", response: acknowledgement });
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map((request) => JSON.stringify(request))).size).toBe(1);
    expect(requests[0]?.path).toBe("/api/sessions/s%2F1/messages");
  });

  it("does not repeat what the server refused, and says why in its words", async () => {
    const { fetch, requests } = serverOf(failing(400));
    const delivery = await deliver(outgoing, { fetch, ...quickly });
    expect(delivery).toEqual({ kind: "refused", reason: "Sentence 400." });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [401, "signed-out"],
    [409, "other-account"],
  ])("waits for its person after a %i for %s, without another try", async (status, code) => {
    const { fetch, requests } = serverOf(failing(status, code));
    expect(await deliver(outgoing, { fetch, ...quickly })).toEqual({ kind: "away" });
    expect(requests).toHaveLength(1);
  });

  it("ends without a result when it is called off", async () => {
    const controller = new AbortController();
    const { fetch } = serverOf(lost);
    const pause = async () => controller.abort();
    expect(await deliver(outgoing, { fetch, pause, signal: controller.signal })).toBeNull();
  });
});

describe("an answer on the connection of its message", () => {
  const events = (...each: unknown[]) =>
    new Blob(each.map((event) => `data: ${JSON.stringify(event)}\n\n`)).stream();
  const streaming =
    (body: ReadableStream): Reply =>
    () =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
  const start = { type: "start", messageId: "a1" };
  const storedEvent = { type: "stored", ...acknowledgement };

  it("is handed on behind what confirms the message", async () => {
    const { fetch } = serverOf(streaming(events(storedEvent, start, { type: "finish" })));
    const delivery = await deliver(outgoing, { fetch, ...quickly });
    expect(delivery).toMatchObject({ kind: "acknowledged", response: acknowledgement });
    const chunks: unknown[] = [];
    const read = { write: (chunk: unknown) => void chunks.push(chunk) };
    if (delivery?.kind === "acknowledged")
      await delivery.answer?.chunks.pipeTo(new WritableStream(read));
    expect(chunks).toEqual([start, { type: "finish" }]);
  });

  it.each([
    ["nothing", events()],
    ["something else", events(start)],
    ["half of it", new Blob(['data: {"type":"stor']).stream()],
  ])("is asked for by its own request after a connection that brought %s", async (_, body) => {
    const { fetch, requests } = serverOf(streaming(body));
    const delivery = await deliver(outgoing, { fetch, ...quickly });
    expect(delivery).toEqual({ kind: "acknowledged", response: acknowledgement });
    expect(requests).toHaveLength(2);
  });

  it("is asked for apart where a proxy keeps answers until their end, and tried again after ever longer pauses", async () => {
    vi.useFakeTimers();
    vi.resetModules();
    const { deliver } = await import("./deliver");
    const accepted: (string | null)[] = [];
    const holding = async (_: string, { headers, signal }: RequestInit): Promise<Response> => {
      const accept = new Headers(headers).get("accept");
      accepted.push(accept);
      if (accept === null) return stored();
      return new Promise((_, fail) =>
        signal?.addEventListener("abort", () => fail(new Error("Aborted."))),
      );
    };
    const pause = () => Promise.reject(new Error("It waits for nothing."));
    const onAttempt = vi.fn();
    const options = { fetch: holding, pause, onAttempt, signal: new AbortController().signal };
    const taking = "text/event-stream, application/json";
    const isHeldBackFor = async (minutes: number) => {
      const delivery = deliver(outgoing, options);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await delivery).toMatchObject({ kind: "acknowledged" });
      await vi.advanceTimersByTimeAsync(minutes * 60_000 - 1);
      expect(await deliver(outgoing, options)).toMatchObject({ kind: "acknowledged" });
      expect(accepted.splice(0)).toEqual([taking, null, null]);
      await vi.advanceTimersByTimeAsync(1);
    };
    await isHeldBackFor(1);
    expect(onAttempt).toHaveBeenCalledTimes(2);
    await isHeldBackFor(2);
    await deliver(outgoing, { ...options, fetch: async () => stored() });
    await isHeldBackFor(1);
    vi.useRealTimers();
  });
});

describe("the request", () => {
  it("names the leaf its author saw", () => {
    expect(sendRequestOf(outgoing)).toEqual({
      id: outgoing.id,
      answerId: outgoing.answerId,
      parts: [{ type: "text", text: "hello" }],
      generate: true,
      expectedLeaf: "a1",
    });
  });

  it("names the parent of an edit, also when it is a first question", () => {
    const edit = newOutgoing({ sessionId: "s", text: "hello", parentId: null, generate: false });
    expect(sendRequestOf(edit)).toEqual({
      id: edit.id,
      parts: [{ type: "text", text: "hello" }],
      generate: false,
      parentId: null,
    });
  });

  it("makes the session of a first message", () => {
    const first = newOutgoing({ sessionId: "s", text: "hello", newSession: true, model: "demo" });
    expect(sendRequestOf(first)).toMatchObject({ newSession: {}, model: "demo" });
    expect(sendRequestOf(first)).not.toHaveProperty("expectedLeaf");
  });
});
