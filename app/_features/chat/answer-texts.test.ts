import { describe, expect, test } from "vitest";
import type { EntryWire, GroveMetadata } from "@/lib/chat/wire/messages";
import { isEditableAnswer, storedTexts } from "./answer-texts";

describe("isEditableAnswer", () => {
  const entry = (role: "user" | "assistant", text: string, metadata: GroveMetadata = {}) =>
    ({ message: { id: "m", role, parts: [{ type: "text", text }], metadata } }) as EntryWire;

  test.each([
    ["an answer with words", entry("assistant", "Hello"), true],
    ["one that was stopped", entry("assistant", "Hel", { status: "stopped" }), true],
    ["one without words", entry("assistant", ""), false],
    ["one that waits for the person", entry("assistant", "Hm", { status: "paused" }), false],
    ["a question", entry("user", "Hello"), false],
  ])("%s", (_, given, expected) => {
    expect(isEditableAnswer(given)).toBe(expected);
  });
});

describe("storedTexts", () => {
  test("reads a draft of as many texts as the answer has", () => {
    expect(storedTexts('["one","two"]', 2)).toEqual(["one", "two"]);
  });

  test.each([
    ["none", "", 1],
    ["of another number", '["one"]', 2],
    ["of something else", "[1]", 1],
    ["damaged", "[", 1],
  ])("no draft: %s", (_, draft, count) => {
    expect(storedTexts(draft, count)).toBeNull();
  });
});
