import type { LanguageModelUsage } from "ai";
import { costOf, type ModelPrice } from "@/lib/llm";
import type { UsageEntry } from "./usage-log";

/** The numbers of a call. */
export type CallUsage = Pick<
  UsageEntry,
  "inputTokens" | "cachedTokens" | "outputTokens" | "cost" | "isReported"
>;

/**
 * What a call took: as the provider reported it, otherwise by an estimate of both sides. A call that was stopped or cut
 * off reports nothing, but was charged all the same.
 *
 * @returns `null` when nothing was reported and nothing came back: then nothing is known to have been charged.
 */
export function callUsage(
  reported: LanguageModelUsage | undefined,
  {
    estimated,
    price,
  }: { estimated: { inputTokens: number; outputTokens: number }; price: ModelPrice | null },
): CallUsage | null {
  if (reported?.inputTokens !== undefined && reported.outputTokens !== undefined) {
    return {
      inputTokens: reported.inputTokens,
      cachedTokens: reported.inputTokenDetails.cacheReadTokens ?? 0,
      outputTokens: reported.outputTokens,
      cost: costOf(reported, price),
      isReported: true,
    };
  }
  if (estimated.outputTokens === 0) return null;
  return {
    ...estimated,
    cachedTokens: 0,
    cost: price && estimatedCost(estimated, price),
    isReported: false,
  };
}

function estimatedCost(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { inputPerMillion, outputPerMillion }: ModelPrice,
): number {
  return (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1_000_000;
}
