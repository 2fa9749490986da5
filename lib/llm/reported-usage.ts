import type { LanguageModelUsage } from "ai";

/** `undefined` unless input and output are whole counts up to 2^53, so that the call is estimated. */
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

export function countIn(value: unknown): number | undefined {
  return isCount(value) ? value : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
