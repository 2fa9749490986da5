import { describe, expect, it } from "vitest";
import { entry, page, path } from "@/app/_data/testing/wire-builders";
import {
  answerToRetry,
  isFirstInQueue,
  type MessageQueue,
  nextQueue,
  nextToSend,
} from "./message-queue";
import { openWindow } from "./transcript-window";

const first = { id: "1", answerId: "a2", text: "first", after: "a1" };
const second = { id: "2", answerId: "a3", text: "second", after: "a2" };
const queue: MessageQueue = [first, second];

describe("nextQueue", () => {
  it("lets a second message wait for the answer to the first", () => {
    const message = { ...second, after: "a1" };
    expect(nextQueue([first], { type: "added", message })).toEqual([first, second]);
  });

  it("lets a message on another branch wait for the answer there", () => {
    const elsewhere = { id: "3", answerId: "a4", text: "elsewhere", after: "other" };
    expect(nextQueue(queue, { type: "added", message: elsewhere })).toEqual([...queue, elsewhere]);
  });

  it("lets the second message still wait for the answer to the first once that is sent", () => {
    expect(nextQueue(queue, { type: "sent", id: "1" })).toEqual([second]);
  });

  it("lets the second message take the place of a removed first", () => {
    expect(nextQueue(queue, { type: "removed", id: "1" })).toEqual([{ ...second, after: "a1" }]);
    expect(nextQueue(queue, { type: "removed", id: "2" })).toEqual([first]);
  });
});

describe("isFirstInQueue", () => {
  it("holds once for each answer that is waited for", () => {
    const elsewhere = { ...first, id: "3", answerId: "a4", after: "other" };
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
    const retried = nextQueue(queue, { type: "retried", answerId: "a1", by: "b1" });
    expect(retried).toEqual([{ ...first, after: "b1" }, second]);
    expect(nextToSend(retried, openWindow(page(path("q1", "b1"))))).toMatchObject({ id: first.id });
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
    const elsewhere = { ...first, id: "3", answerId: "a4", after: "other" };
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
