import { expect, it } from "vitest";
import { entry } from "@/app/_data/testing/wire-builders";
import { isQuestion, messageActionOf } from "./message-key";

const press = (key: string, held: "ctrlKey" | "metaKey" | "altKey" | null = null) => ({
  key,
  metaKey: held === "metaKey",
  ctrlKey: held === "ctrlKey",
  altKey: held === "altKey",
});
const question = entry("q1", null);
const answer = entry("a1", "q1");

it("copies any message, and continues after answers", () => {
  for (const each of [question, answer]) expect(messageActionOf(press("c"), each)).toBe("copy");
  expect(messageActionOf(press("b"), answer)).toBe("continue");
  expect(messageActionOf(press("b"), question)).toBeNull();
});

it("edits questions and answers with words, and repeats answers to something", () => {
  expect(messageActionOf(press("e"), question)).toBe("edit");
  expect(messageActionOf(press("e"), answer)).toBe("edit");
  expect(messageActionOf(press("r"), answer)).toBe("again");
  expect(messageActionOf(press("r"), question)).toBeNull();
  expect(messageActionOf(press("r"), entry("a1", null))).toBeNull();
  const failed = { ...answer.message, metadata: { status: "failed" } as const };
  expect(messageActionOf(press("r"), { ...answer, message: failed })).toBeNull();
});

it("takes neither a note nor a summary for a question", () => {
  const compaction = {
    id: "c1",
    summary: "What was said",
    fromMessageId: "q0",
    toMessageId: "a0",
    createdAt: question.createdAt,
    messageCount: 2,
    summaryTokens: 10,
  };
  const note = { kind: "summary", from: "a0" } as const;
  expect(isQuestion(question)).toBe(true);
  expect(isQuestion({ ...question, compaction })).toBe(false);
  expect(isQuestion({ ...question, message: { ...question.message, metadata: { note } } })).toBe(
    false,
  );
});

it("leaves every other key alone, and these with another one held", () => {
  for (const key of ["n", "Escape", "Enter", "C", "constructor"]) {
    expect(messageActionOf(press(key), question)).toBeNull();
  }
  expect(messageActionOf(press("c", "ctrlKey"), question)).toBeNull();
  expect(messageActionOf(press("r", "metaKey"), answer)).toBeNull();
});
