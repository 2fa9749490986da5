import fc from "fast-check";
import { expect, test } from "vitest";
import {
  countOf,
  formatCompact,
  formatCost,
  formatCount,
  formatShare,
  formatTokens,
} from "./format-amount";

test.each([
  [0, "$0"],
  [0.00001, "less than $0.0001"],
  [0.00042, "$0.00042"],
  [0.0341, "$0.034"],
  [1.204, "$1.20"],
])("writes %d dollars as %s", (dollars, text) => {
  expect(formatCost(dollars)).toBe(text);
});

test.each([
  [0, "0%"],
  [0.002, "<1%"],
  [0.071, "7%"],
  [1.25, "125%"],
])("writes a share of %d as %s", (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test("counts with the right number", () => {
  expect([formatTokens(1), formatTokens(18_240), countOf(0, "message")]).toEqual([
    "1 token",
    "18,240 tokens",
    "0 messages",
  ]);
  expect(formatCompact(18_240)).toBe("18.2K");
});

test("writes whole numbers as Intl writes them in English", () => {
  const property = fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 52 }), (large, bits) => {
    const count = Math.floor(large / 2 ** bits);
    expect(formatCount(count)).toBe(new Intl.NumberFormat("en").format(count));
  });
  fc.assert(property);
});
