import type { ModelWire } from "@/lib/chat/wire/settings";

export function modelWire(ref: string, change: Partial<ModelWire> = {}): ModelWire {
  return {
    ref,
    label: ref,
    provider: "Test",
    contextWindow: 8_000,
    isWindowAssumed: false,
    maxOutput: null,
    price: null,
    isDemo: false,
    isLocal: false,
    takes: { images: true, pdfs: true },
    tools: true,
    features: [],
    reasoning: false,
    searchesWeb: false,
    parameters: {},
    isFavorite: false,
    isHidden: false,
    ...change,
  };
}
