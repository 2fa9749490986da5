import { afterEach, describe, expect, it, vi } from "vitest";
import { writeStored } from "@/app/_ui/store";
import {
  adoptQueues,
  adoptRefused,
  changeOutbox,
  newOutgoing,
  newQueued,
  nextOutbox,
  type Outbox,
  outbox,
  outboxOf,
  outgoingIn,
  passUnsent,
  queueIn,
} from "./outbox";

const outgoing = newOutgoing({ sessionId: "s", text: "hello" });
const written = nextOutbox([], { type: "written", outgoing });

it("keeps a message, with its ids, until the server has acknowledged it", () => {
  const tried = nextOutbox(written, { type: "attempted", id: outgoing.id });
  expect(tried).toEqual([{ ...outgoing, state: { kind: "pending", attempts: 1 } }]);
  expect(nextOutbox(tried, { type: "acknowledged", id: outgoing.id })).toEqual([]);
});

it("holds a refused message until the person decides", () => {
  const refused = nextOutbox(written, { type: "refused", id: outgoing.id, reason: "Too long." });
  expect(refused[0]?.state).toEqual({ kind: "failed", reason: "Too long." });
  const retried = nextOutbox(refused, { type: "retried", id: outgoing.id });
  expect(retried[0]?.state).toEqual({ kind: "pending", attempts: 0 });
  expect(nextOutbox(refused, { type: "discarded", id: outgoing.id })).toEqual([]);
});

it("takes the same message only once", () => {
  expect(nextOutbox(written, { type: "written", outgoing })).toHaveLength(1);
});

it("ignores what happens to a message that has left", () => {
  const empty: Outbox = [];
  expect(nextOutbox(empty, { type: "refused", id: outgoing.id, reason: "" })).toEqual([]);
});

it("knows whose message it is", () => {
  expect(outgoingIn(written, "s")).toHaveLength(1);
  expect(outgoingIn(written, "other")).toEqual([]);
});

describe("a queued message", () => {
  const first = newQueued({ sessionId: "s", answerId: "a2", text: "first", after: "a1" });
  const second = newQueued({ sessionId: "s", answerId: "a3", text: "second", after: "a2" });
  const queue: Outbox = [first, second];
  const waiting = (message: typeof first, after: string) => {
    return { ...message, state: { kind: "queued", after } };
  };

  it("waits for the answer to the one before it", () => {
    const message = newQueued({ ...second, after: "a1" });
    expect(nextOutbox([first], { type: "queued", message })).toEqual([
      first,
      waiting(message, "a2"),
    ]);
  });

  it("on another branch waits for the answer there", () => {
    const elsewhere = newQueued({ sessionId: "s", text: "elsewhere", after: "other" });
    expect(nextOutbox(queue, { type: "queued", message: elsewhere })).toEqual([
      ...queue,
      elsewhere,
    ]);
  });

  it("of another chat waits for no answer of this one", () => {
    const elsewhere = newQueued({ sessionId: "t", text: "elsewhere", after: "a1" });
    expect(nextOutbox(queue, { type: "queued", message: elsewhere }).at(-1)).toEqual(elsewhere);
  });

  it("leaves the queue in the step in which it is sent, and the next still waits for its answer", () => {
    const outgoing = newOutgoing({ ...first, ids: first });
    const sent = nextOutbox(queue, { type: "written", outgoing });
    expect(sent).toEqual([second, outgoing]);
    expect(nextOutbox(sent, { type: "written", outgoing })).toEqual(sent);
  });

  it("takes the place of a removed one", () => {
    expect(nextOutbox(queue, { type: "discarded", id: first.id })).toEqual([waiting(second, "a1")]);
    expect(nextOutbox(queue, { type: "discarded", id: second.id })).toEqual([first]);
  });

  it("is neither tried nor refused", () => {
    expect(nextOutbox(queue, { type: "attempted", id: first.id })).toEqual(queue);
    expect(nextOutbox(queue, { type: "refused", id: first.id, reason: "" })).toEqual(queue);
    expect(outgoingIn(queue, "s")).toEqual([]);
  });

  it("moves with its chat, and waits on", () => {
    const moved = nextOutbox(queue, { type: "moved", from: "s", to: "kept" });
    expect(queueIn(moved, "kept")).toEqual(queue.map((each) => ({ ...each, sessionId: "kept" })));
  });
});

describe("queues of 0.2.0", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    for (const { id } of outbox.read()) changeOutbox({ type: "discarded", id });
  });

  it("are taken over once, each with its chat", () => {
    const stored = storageOf();
    const old = { id: "1", answerId: "a2", text: "first", after: "a1" };
    writeStored("queue:s", [old, { ...old, id: "2", answerId: "a3", after: "a2" }]);
    writeStored("queue:t", "damaged");
    adoptQueues();
    adoptQueues();
    expect(queueIn(outbox.read(), "s")).toMatchObject([
      { id: "1", text: "first", sessionId: "s", state: { kind: "queued", after: "a1" } },
      { id: "2", answerId: "a3", state: { kind: "queued", after: "a2" } },
    ]);
    expect([...stored.keys()]).toEqual(["grove:local:outbox"]);
  });
});

function storageOf(): Map<string, string> {
  const values = new Map<string, string>();
  const storage = new Proxy(
    {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    },
    {
      ownKeys: () => [...values.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  vi.stubGlobal("localStorage", storage);
  return values;
}

describe("a chat that is moved to another place", () => {
  const there = "p-1";
  const stored = (space: string | null, messages: Outbox) => outboxOf(space).update(() => messages);
  afterEach(() => {
    for (const space of [null, there]) stored(space, []);
  });

  it("takes along what waits, which its person sends again, and leaves other chats", () => {
    const other = newOutgoing({ sessionId: "other", text: "stays" });
    const queued = newQueued({ sessionId: "s", text: "later", after: outgoing.answerId });
    stored(null, [outgoing, queued, other]);
    passUnsent("s", [null, there]);
    expect(outbox.read()).toEqual([other]);
    expect(outboxOf(there).read()).toEqual([
      { ...outgoing, state: { kind: "failed", reason: expect.stringContaining("was moved") } },
      queued,
    ]);
    passUnsent("s", [there, null]);
    expect(outbox.read().map(({ id }) => id)).toEqual([other.id, outgoing.id, queued.id]);
  });

  it("takes over what was refused at its old address alone", () => {
    storageOf();
    const refused = (isMoved: boolean): Outbox => [
      { ...outgoing, state: { kind: "failed", reason: "No.", isMoved } },
    ];
    stored(there, refused(false));
    adoptRefused("s");
    expect(outbox.read()).toEqual([]);
    stored(there, refused(true));
    adoptRefused("other");
    expect(outbox.read()).toEqual([]);
    adoptRefused("s");
    expect(outbox.read().map(({ text }) => text)).toEqual(["hello"]);
    expect(outboxOf(there).read()).toEqual([]);
  });
});
