import { describe, expect, test } from "vitest";
import { modelWire } from "@/app/_data/testing/model-wire";
import type { ModelWire } from "@/lib/chat/wire/settings";
import {
  decideHeld,
  gaugeOfNewChat,
  type HeldMessage,
  type OverWindowOptions,
  overWindow,
} from "./over-window";

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
  return modelWire(ref, { contextWindow });
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

  test("names the tools when the message would fit without them", () => {
    const parts: OverWindowOptions["gauge"]["parts"] = [
      { source: "prompt", label: "soul", tokens: 400 },
      { source: "tools", label: "Station", tokens: 5_000 },
      { source: "tools", label: "Web", tokens: 600 },
    ];
    const over = (count: number) =>
      overWindow({ draft: words(count), gauge: { ...gauge, parts }, models });
    expect(over(2_100)).toMatchObject({ canCompact: false, toolTokens: 5_600 });
    expect(over(7_700)).toMatchObject({ canCompact: false, toolTokens: 0 });
  });

  test("measures a draft before its model is known against a small window", () => {
    const unknown = gaugeOfNewChat(undefined);
    expect(overWindow({ draft: words(7_000), gauge: unknown, models: [] })).toBeNull();
    expect(overWindow({ draft: words(9_000), gauge: unknown, models: [] })).toMatchObject({
      isWindowAssumed: true,
    });
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

describe("decideHeld", () => {
  const held: HeldMessage = { text: "Which tree?", leafId: "a1", model: "demo" };
  const fits = { isOver: false, isRereading: false };

  test("waits while a request that is too long is read again, and then asks", () => {
    const over = { present: held, isOver: true };
    expect(decideHeld(held, { ...over, isRereading: true })).toBe("wait");
    expect(decideHeld(held, { ...over, isRereading: false })).toBe("ask");
  });

  test("sends once the request fits", () => {
    expect(decideHeld(held, { present: held, ...fits })).toBe("send");
  });

  test("goes on once the model is known that was not when Enter was pressed", () => {
    const early = { ...held, model: null };
    expect(decideHeld(early, { present: held, isOver: true, isRereading: false })).toBe("ask");
    expect(decideHeld(early, { present: held, ...fits })).toBe("send");
  });

  test.each<[string, Partial<HeldMessage>]>([
    ["another text", { text: "Which tree" }],
    ["another branch", { leafId: "a2" }],
    ["a branch that is not known yet", { leafId: undefined }],
    ["another model", { model: "large" }],
  ])("drops a message that would be sent with %s", (_, change) => {
    const present = { ...held, ...change };
    expect(decideHeld(held, { present, ...fits })).toBe("drop");
    expect(decideHeld(held, { present, isOver: true, isRereading: true })).toBe("drop");
  });
});
