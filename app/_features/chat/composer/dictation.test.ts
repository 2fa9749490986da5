import { describe, expect, test } from "vitest";
import { dictationProblem, heardIn, recognitionOf, withSaid } from "./dictation";

describe("withSaid", () => {
  test.each([
    ["into an empty field", "", 0, 0, "hello there", "hello there|"],
    ["at the end", "Dear Ada,", 9, 9, " how are you", "Dear Ada, how are you|"],
    ["between words", "one three", 3, 3, "two", "one two| three"],
    ["in place of a selection", "one four three", 4, 8, "two", "one two| three"],
    ["before a sign", "one , three", 4, 4, "two", "one two|, three"],
    ["a sign", "one", 3, 3, ". Next", "one. Next|"],
    ["after a line", "one\n", 4, 4, "two", "one\ntwo|"],
    ["nothing", "one", 3, 3, "  ", "one|"],
  ])("%s", (_, text, start, end, said, expected) => {
    const { text: written, caret } = withSaid(text, { start, end }, said);
    expect(`${written.slice(0, caret)}|${written.slice(caret)}`).toBe(expected);
  });
});

test("tells final words from those that may change, and skips the earlier ones", () => {
  const result = (transcript: string, isFinal: boolean) =>
    Object.assign([{ transcript }], { isFinal });
  const results = [result("old ", true), result("hello ", true), result("the", false)];
  expect(heardIn({ resultIndex: 1, results })).toEqual({ said: "hello ", interim: "the" });
});

test("finds the engine under either name, or none", () => {
  class Engine {}
  expect(recognitionOf({ SpeechRecognition: Engine })).toBe(Engine);
  expect(recognitionOf({ webkitSpeechRecognition: Engine })).toBe(Engine);
  expect(recognitionOf({})).toBeNull();
});

test("has a sentence for what went wrong, and none for a stop", () => {
  expect(dictationProblem("not-allowed")).toMatch(/refused the microphone/);
  expect(dictationProblem("something new")).toMatch(/failed/);
  expect(dictationProblem("aborted")).toBeNull();
});
