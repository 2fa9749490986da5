import type { LanguageModelUsage } from "ai";
import type { ModelPrice } from "./model-info";

/**
 * Cost of a call in dollars. Cached tokens are part of the input, at their own price; reasoning is part of the
 * output. @returns `null` when the price or a token count is unknown.
 */
export function costOf(
  usage: LanguageModelUsage | undefined,
  price: ModelPrice | null,
): number | null {
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined || price === null) {
    return null;
  }
  const cacheRead = usage.inputTokenDetails.cacheReadTokens ?? 0;
  const cacheWrite = usage.inputTokenDetails.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cacheRead - cacheWrite);
  const perMillion =
    fresh * price.inputPerMillion +
    cacheRead * (price.cacheReadPerMillion ?? price.inputPerMillion) +
    cacheWrite * (price.cacheWritePerMillion ?? price.inputPerMillion) +
    usage.outputTokens * price.outputPerMillion;
  return perMillion / 1_000_000;
}
