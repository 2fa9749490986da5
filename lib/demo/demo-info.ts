import { freeOfCharge, type ModelInfo } from "@/lib/llm/model-info";

/** The scripted model that lets everything be tried without a key. */
export const demoModelInfo: ModelInfo = {
  ref: "demo/grove-demo",
  label: "Demo (scripted, no AI)",
  provider: "demo",
  providerLabel: "Demo",
  // Small on purpose, so that a window can be seen to fill and compaction be tried within minutes.
  contextWindow: 8000,
  maxOutput: 2000,
  price: freeOfCharge,
  isDemo: true,
  isLocal: false,
  capabilities: { tools: true, reasoning: true, images: false },
};
