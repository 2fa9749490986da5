import { describe, expect, it } from "vitest";
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
