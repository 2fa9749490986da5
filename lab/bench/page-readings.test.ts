import { expect, test } from "vitest";
import { keyPressP95, longest } from "./page-readings";

test("keys too quick to be noted count as the shortest that are", () => {
  expect(keyPressP95([48], 100)).toBe(16);
  expect(keyPressP95(Array(10).fill(48), 100)).toBe(48);
});

test("a page without long tasks has none", () => {
  expect(longest([])).toBe(0);
  expect(longest([60, 120])).toBe(120);
});
