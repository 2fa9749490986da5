import type { ModelInfo } from "@/lib/llm";

const assumedContextWindow = 32_000;

export function contextWindowOf({ contextWindow }: Pick<ModelInfo, "contextWindow">): number {
  return contextWindow ?? assumedContextWindow;
}
