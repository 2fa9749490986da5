import type { RunBudget } from "@/lib/chat/core/run-store";
import type { ModelInfo } from "@/lib/llm";

const usualWindow = 128_000;
const usualOutput = 8_192;

/** Dollars that an answer may cost, before its input is known that of a full window. */
export function reservedDollars(
  { price, charged, contextWindow, maxOutput }: ModelInfo,
  { inputTokens, maxOutputTokens }: { inputTokens?: number; maxOutputTokens?: number | undefined },
): number {
  const { inputPerMillion = 0, outputPerMillion = 0 } = charged ?? price ?? {};
  const input = inputTokens ?? contextWindow ?? usualWindow;
  const output = maxOutputTokens ?? maxOutput ?? usualOutput;
  return (input * inputPerMillion + output * outputPerMillion) / 1_000_000;
}

export function hasLimit({ messages, dollars, keyDollars }: RunBudget): boolean {
  return messages !== null || dollars !== null || keyDollars !== null;
}
