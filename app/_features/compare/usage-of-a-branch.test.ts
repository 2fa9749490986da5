import { expect, test } from "vitest";
import { usageWords } from "./branch-column";

test.each([
  [{ inputTokens: 0, outputTokens: 0, cost: null }, []],
  [{ inputTokens: 9, outputTokens: 2, cost: null }, ["9 in, 2 out", "cost unknown"]],
])("says of a branch with %j only what is known", (usage, words) => {
  expect(usageWords(usage)).toEqual(words);
});
