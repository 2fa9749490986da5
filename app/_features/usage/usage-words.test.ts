import { expect, test } from "vitest";
import { costWords } from "./usage-words";

const sum = { calls: 2, inputTokens: 10, cachedTokens: 0, outputTokens: 5, estimatedCalls: 1 };

test.each([
  [{ cost: 0, unpricedCalls: 1 }, "unknown"],
  [{ cost: 0.5, unpricedCalls: 1 }, "≈ $0.5, rest unknown"],
  [{ cost: 0, unpricedCalls: 0 }, "≈ $0"],
])("says the cost of %j as %j", (of, words) => {
  expect(costWords({ ...sum, ...of })).toBe(words);
});
