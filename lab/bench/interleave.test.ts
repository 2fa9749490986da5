import { expect, test } from "vitest";
import { growthExponent, interleave, percentile } from "./interleave";

test("operations take turns, and one with `every` is left out of the rounds between", async () => {
  const order: string[] = [];
  const operation = (name: string, every: number) => ({
    name,
    messages: null,
    every,
    run: async (round: number) => order.push(`${name}${round}`),
  });
  const timings = await interleave([operation("a", 1), operation("b", 2)], {
    rounds: 1,
    signal: new AbortController().signal,
  });
  expect(order.slice(0, 6)).toEqual(["a0", "b0", "a1", "a2", "b2", "a3"]);
  expect(timings.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("percentiles are values that were measured", () => {
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([3, 1, 2], 0.95)).toBe(3);
  expect(percentile([], 0.5)).toBeNaN();
});

test("the growth exponent is 0 for a flat time, 1 for a proportional one", () => {
  expect(growthExponent({ size: 10, time: 2 }, { size: 1000, time: 2 })).toBe(0);
  expect(growthExponent({ size: 10, time: 2 }, { size: 1000, time: 200 })).toBeCloseTo(1);
});
