import type { LanguageModelUsage } from "ai";
import { describe, expect, test } from "vitest";
import { costOf, freeOfCharge } from "./model-info";

const price = {
  inputPerMillion: 2,
  outputPerMillion: 10,
  cacheReadPerMillion: 0.2,
  cacheWritePerMillion: 2.5,
};

function usage(
  counts: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number } = {},
): LanguageModelUsage {
  return {
    inputTokens: counts.input,
    outputTokens: counts.output,
    totalTokens: undefined,
    inputTokenDetails: {
      noCacheTokens: undefined,
      cacheReadTokens: counts.cacheRead,
      cacheWriteTokens: counts.cacheWrite,
    },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  };
}

describe("costOf", () => {
  test("charges input and output per million tokens", () => {
    expect(costOf(usage({ input: 1_000_000, output: 500_000 }), price)).toBeCloseTo(7, 10);
  });

  test("charges cached tokens once, at their own price", () => {
    const cached = usage({ input: 1_000_000, output: 0, cacheRead: 600_000, cacheWrite: 200_000 });
    expect(costOf(cached, price)).toBeCloseTo(0.4 + 0.12 + 0.5, 10);
  });

  test("charges cached tokens as input when no cache price is known", () => {
    const plain = { inputPerMillion: 2, outputPerMillion: 10 };
    const cached = usage({ input: 1_000_000, output: 0, cacheRead: 1_000_000 });
    expect(costOf(cached, plain)).toBeCloseTo(2, 10);
  });

  test("never goes below zero when a provider reports more cached tokens than input", () => {
    const odd = usage({ input: 10, output: 0, cacheRead: 20 });
    expect(costOf(odd, price)).toBeCloseTo(0.000004, 12);
  });

  test("is zero for a model that costs nothing", () => {
    expect(costOf(usage({ input: 5, output: 5 }), freeOfCharge)).toBe(0);
  });

  test("is null when usage, one of its counts or the price is unknown", () => {
    expect(costOf(undefined, price)).toBeNull();
    expect(costOf(usage(), price)).toBeNull();
    expect(costOf(usage({ input: 5 }), price)).toBeNull();
    expect(costOf(usage({ output: 5 }), price)).toBeNull();
    expect(costOf(usage({ input: 5, output: 5 }), null)).toBeNull();
  });
});
