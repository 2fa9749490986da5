import { describe, expect, test } from "vitest";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { gaugeOfNewChat, type OverWindowOptions, overWindow } from "./over-window";

const gauge: OverWindowOptions["gauge"] = {
  parts: [
    { source: "prompt", label: "soul", tokens: 400 },
    { source: "messages", label: "Messages", tokens: 5_000 },
    { source: "summaries", label: "Summaries", tokens: 600 },
  ],
  usedTokens: 6_000,
  contextWindow: 8_000,
  isWindowAssumed: false,
  tokenScale: 1,
};

function model(ref: string, contextWindow: number): ModelWire {
  const facts = { price: null, isDemo: false, isLocal: false };
  return { ref, label: ref, provider: "test", contextWindow, ...facts };
}

const models = [model("huge", 200_000), model("same", 8_000), model("large", 32_000)];
const words = (count: number) => "x".repeat(4 * count);

describe("overWindow", () => {
  test("says nothing while prompt, tools, history and draft fit", () => {
    expect(overWindow({ draft: words(1_990), gauge, models })).toBeNull();
    expect(overWindow({ draft: "  ", gauge: { ...gauge, usedTokens: 9_000 }, models })).toBeNull();
  });

  test("offers compaction and the models with room, the smallest first", () => {
    const over = overWindow({ draft: words(2_100), gauge, models });
    expect(over).toMatchObject({ totalTokens: 8_104, contextWindow: 8_000, canCompact: true });
    expect(over?.largerModels.map(({ ref }) => ref)).toEqual(["large", "huge"]);
  });

  test("offers no compaction when the message and the prompt alone are too large", () => {
    expect(overWindow({ draft: words(7_700), gauge, models })?.canCompact).toBe(false);
    const [small] = models.slice(1);
    const first =
      small && overWindow({ draft: words(9_000), gauge: gaugeOfNewChat(small), models });
    expect(first?.canCompact).toBe(false);
  });

  test("offers no model when none has room", () => {
    expect(overWindow({ draft: words(300_000), gauge, models })?.largerModels).toEqual([]);
  });

  test("counts a draft as the model has counted so far", () => {
    expect(overWindow({ draft: words(1_500), gauge, models })).toBeNull();
    const scaled = { ...gauge, tokenScale: 1.5 };
    expect(overWindow({ draft: words(1_500), gauge: scaled, models })?.totalTokens).toBe(8_256);
  });
});
