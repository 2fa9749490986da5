import { describe, expect, it } from "vitest";
import { newQueued, nextOutbox, type QueuedMessage, queueIn } from "@/app/_data/chat/outbox";
import { entry, page, path } from "@/app/_data/testing/wire-builders";
import { answerToRetry, isFirstInQueue, nextToSend } from "./queued-messages";
import { openWindow } from "./transcript-window";

const sessionId = "s";
const first = newQueued({ sessionId, id: "1", answerId: "a2", text: "first", after: "a1" });
const second = newQueued({ sessionId, id: "2", answerId: "a3", text: "second", after: "a2" });
const queue: readonly QueuedMessage[] = [first, second];
const elsewhere = newQueued({
  sessionId,
  id: "3",
  answerId: "a4",
  text: "elsewhere",
  after: "other",
});

describe("isFirstInQueue", () => {
  it("holds once for each answer that is waited for", () => {
    const firsts = [...queue, elsewhere].filter((message) =>
      isFirstInQueue([...queue, elsewhere], message),
    );
    expect(firsts).toEqual([first, elsewhere]);
  });
});

describe("a retried answer", () => {
  const failed = entry("a1", "q1");
  const message = { ...failed.message, metadata: { status: "failed" as const } };
  const window = openWindow(page([...path("q1"), { ...failed, message }]));

  it("takes over the messages that waited for the one that failed", () => {
    const retried = nextOutbox(queue, { type: "answer-retried", answerId: "a1", by: "b1" });
    expect(retried).toEqual([{ ...first, state: { kind: "queued", after: "b1" } }, second]);
    expect(
      nextToSend(queueIn(retried, sessionId), openWindow(page(path("q1", "b1")))),
    ).toMatchObject({ id: first.id });
  });

  it("is found from its question, and only where it ended early", () => {
    expect(answerToRetry(window, "q1")).toBe("a1");
    expect(answerToRetry(openWindow(page(path("q1", "a1"))), "q1")).toBeNull();
    expect(answerToRetry(window, "unknown")).toBeNull();
  });
});

describe("nextToSend", () => {
  const answered = openWindow(page(path("q1", "a1")));

  it("is the message that waited for an answer on the path", () => {
    expect(nextToSend(queue, answered)).toEqual(first);
    expect(nextToSend([elsewhere, ...queue], answered)).toEqual(first);
  });

  it("is null on a branch without the answer that is waited for", () => {
    expect(nextToSend(queue, openWindow(page(path("q1", "b1"))))).toBeNull();
  });

  it("is null for a second message before the first is answered", () => {
    expect(nextToSend([second], answered)).toBeNull();
  });

  it("is null while the end of the path is not loaded", () => {
    expect(nextToSend(queue, { ...answered, hasNewer: true })).toBeNull();
  });

  it.each(["failed", "interrupted", "stopped"] as const)("is null after a %s answer", (status) => {
    const answer = entry("a1", "q1");
    const message = { ...answer.message, metadata: { status } };
    const window = openWindow(page([...path("q1"), { ...answer, message }]));
    expect(nextToSend(queue, window)).toBeNull();
  });
});
