import type { LanguageModelUsage } from "ai";
import { expect, test } from "vitest";
import { reportedUsage } from "./reported-usage";

const usage = (inputTokens: unknown, outputTokens: unknown = 5, cacheReadTokens: unknown = 2) =>
  ({
    inputTokens,
    outputTokens,
    totalTokens: 15,
    inputTokenDetails: { noCacheTokens: 8, cacheReadTokens, cacheWriteTokens: 0 },
    outputTokenDetails: { textTokens: 5, reasoningTokens: 0 },
  }) as LanguageModelUsage;

test("Whole counts are reported as they are", () => {
  expect(reportedUsage(usage(10))).toEqual(usage(10));
  expect(reportedUsage(usage(0, 0))).toEqual(usage(0, 0));
});

test.each([11.5, -1, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY, "10", null])(
  "%j is no count of tokens",
  (count) => {
    expect(reportedUsage(usage(count))).toBeUndefined();
    expect(reportedUsage(usage(10, count))).toBeUndefined();
    expect(reportedUsage(usage(10, 5, count))?.inputTokenDetails.cacheReadTokens).toBeUndefined();
  },
);
