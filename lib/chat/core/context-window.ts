import type { ModelInfo } from "@/lib/llm";

/** For an unknown context window, in tokens. */
const assumedContextWindow = 32_000;

export function contextWindowOf({ contextWindow }: Pick<ModelInfo, "contextWindow">): number {
  return contextWindow ?? assumedContextWindow;
}
