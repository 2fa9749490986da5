import { describe, expect, test } from "vitest";
import { entry } from "@/app/_data/testing/wire-builders";
import { answersSame } from "./entry-diffs";

function said(id: string, text: string) {
  const { message, ...rest } = entry(id, null);
  return { ...rest, message: { ...message, parts: [{ type: "text" as const, text }] } };
}

describe("answersSame", () => {
  test("holds for two answers to the message both branches share, and two versions of a question", () => {
    expect(answersSame([said("a1", "x")], [said("a2", "y")], 0)).toBe(true);
    expect(answersSame([said("q1", "x")], [said("q2", "y")], 0)).toBe(true);
    expect(answersSame([said("q1", "x")], [said("a2", "y")], 0)).toBe(false);
  });

  test("holds further down only after the same question", () => {
    const left = [said("q1", "Tea?"), said("a1", "Yes.")];
    expect(answersSame(left, [said("q2", "Tea? "), said("a2", "No.")], 1)).toBe(true);
    expect(answersSame(left, [said("q2", "Milk?"), said("a2", "No.")], 1)).toBe(false);
    expect(answersSame(left, [said("q2", "Tea?")], 1)).toBe(false);
  });
});
