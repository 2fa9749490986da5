import fc from "fast-check";
import { expect, test } from "vitest";
import { inShares } from "@/lib/chat/answering/context-view";

test("parts in proportion", () => {
  expect(inShares(10, [1, 1, 2])).toEqual([3, 2, 5]);
  expect(inShares(7, [])).toEqual([]);
  expect(inShares(7, [0])).toEqual([0]);
});

test("gives away exactly what there is, nothing negative", () => {
  const weights = fc
    .array(fc.nat(5_000), { minLength: 1 })
    .filter((all) => all.some((each) => each > 0));
  fc.assert(
    fc.property(fc.nat(100_000), weights, (total, each) => {
      const shares = inShares(total, each);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    }),
  );
});
