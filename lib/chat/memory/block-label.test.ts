import { expect, test } from "vitest";
import { labelProblem } from "./block-label";

test.each(["plan", "house-rules", "q3_goals", "reise-pläne", "計画", "नियम", "2026"])(
  "lets a block be called %j",
  (label) => expect(labelProblem(label)).toBeNull(),
);

test.each([
  "Plan",
  "my plan",
  "-plan",
  "plan-",
  "a--b",
  "a[b]",
  "deleted:1",
  "═",
  "straße",
  "plan\n",
])("does not let a block be called %j", (label) => {
  expect(labelProblem(label)).toBe(
    "A block's name is small letters and digits, with single hyphens between words.",
  );
});

test("asks for a name where there is none", () => {
  expect(labelProblem("")).toBe("Enter a name.");
});
