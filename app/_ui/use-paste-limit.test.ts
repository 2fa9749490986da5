import { expect, it } from "vitest";
import { pastedProblem } from "./use-paste-limit";

const empty = { value: "", selectionStart: 0, selectionEnd: 0 };

it("refuses a paste that would not fit, saying how long it is and what would fit", () => {
  expect(pastedProblem(empty, "x".repeat(200_000), 200_000)).toBeNull();
  expect(pastedProblem(empty, "x".repeat(312_345), 200_000)).toBe(
    "Not pasted: that is 312,345 characters, and there is room for 200,000.",
  );
  const filled = { value: "x".repeat(60), selectionStart: 60, selectionEnd: 60 };
  expect(pastedProblem(filled, "x".repeat(50), 80)).toBe(
    "Not pasted: that is 50 characters, and there is room for 20 more.",
  );
});

it("takes what replaces the selected text", () => {
  const full = { value: "x".repeat(80), selectionStart: 10, selectionEnd: 60 };
  expect(pastedProblem(full, "y".repeat(50), 80)).toBeNull();
  expect(pastedProblem(full, "y".repeat(51), 80)).toContain("room for 50 more");
});

it("counts the end of a line once", () => {
  expect(pastedProblem(empty, "a\r\n".repeat(40), 80)).toBeNull();
});
