import type { LanguageModelUsage } from "ai";
import type { ModelPrice } from "./model-info";

/**
 * What a call cost, in dollars.
 *
 * Tokens read from or written to the provider's cache are part of the input and are charged at their own
 * price. Reasoning is part of the output.
 *
 * @returns `null` when the price or either token count is unknown: a partial sum would look like a fact.
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
