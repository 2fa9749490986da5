import { expect, it } from "vitest";
import { newOutgoing, nextOutbox, type Outbox, outgoingOf } from "./outbox";

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
  expect(outgoingOf(written, "s")).toHaveLength(1);
  expect(outgoingOf(written, "other")).toEqual([]);
});
