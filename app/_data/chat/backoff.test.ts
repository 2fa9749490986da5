import { expect, it } from "vitest";
import { backoffMs } from "./backoff";

it("doubles up to a limit", () => {
  const waits = [1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffMs(attempt, 0.5));
  expect(waits).toEqual([400, 800, 1_600, 3_200, 6_400, 8_000, 8_000]);
});

it("spreads attempts so that tabs do not march in step", () => {
  expect(backoffMs(1, 0)).toBe(300);
  expect(backoffMs(1, 1)).toBe(500);
});
