import type { LanguageModelUsage } from "ai";

/**
 * Keeps of a provider's report what can be true: whole counts from 0 to 2^53. Returns `undefined` when the input or the
 * output is no such count, so that the call is estimated.
 */
export function reportedUsage(
  usage: LanguageModelUsage | undefined,
): LanguageModelUsage | undefined {
  if (!usage || !isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  const { inputTokenDetails: input, outputTokenDetails: output } = usage;
  return {
    ...usage,
    inputTokenDetails: {
      noCacheTokens: countIn(input?.noCacheTokens),
      cacheReadTokens: countIn(input?.cacheReadTokens),
      cacheWriteTokens: countIn(input?.cacheWriteTokens),
    },
    outputTokenDetails: {
      textTokens: countIn(output?.textTokens),
      reasoningTokens: countIn(output?.reasoningTokens),
    },
    totalTokens: countIn(usage.totalTokens),
  };
}

/** `undefined` for anything else than a whole number from 0 to 2^53. */
export function countIn(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
