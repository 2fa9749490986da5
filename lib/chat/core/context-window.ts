import type { ModelInfo } from "@/lib/llm";

/** Tokens that a model of an unknown context window is taken to read. */
const assumedContextWindow = 32_000;

export function contextWindowOf({ contextWindow }: Pick<ModelInfo, "contextWindow">): number {
  return contextWindow ?? assumedContextWindow;
}
