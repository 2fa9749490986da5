import { expect, it } from "vitest";
import { pastedProblem } from "./pasted-problem";

it("refuses a paste that would not fit, saying how long it is", () => {
  expect(pastedProblem(0, "x".repeat(200_000))).toBeNull();
  expect(pastedProblem(1, "x".repeat(200_000))).toContain("200,000 characters");
  expect(pastedProblem(0, "x".repeat(312_345))).toContain("312,345");
});
