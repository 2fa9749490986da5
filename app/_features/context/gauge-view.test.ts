import { describe, expect, test } from "vitest";
import type { GaugeWire } from "@/lib/chat/wire/context";
import { gaugeLevel, gaugeView, turnsLeft } from "./gauge-view";

function gauge(change: Partial<GaugeWire> = {}): GaugeWire {
  return {
    parts: [
      { source: "messages", label: "Messages", tokens: 300 },
      { source: "prompt", label: "soul", tokens: 40 },
      { source: "prompt", label: "memory", tokens: 60 },
      { source: "summaries", label: "Summaries", tokens: 0 },
    ],
    usedTokens: 400,
    contextWindow: 1_000,
    isWindowAssumed: false,
    tokenScale: 1,
    shortened: null,
    nextCost: null,
    ...change,
  };
}

describe("gaugeView", () => {
  test("says in a project whose each section of the prompt is", () => {
    const parts: GaugeWire["parts"] = [
      { source: "prompt", label: "soul", tokens: 3, from: "project" },
      { source: "prompt", label: "memory", tokens: 2, from: "project" },
      { source: "prompt", label: "personal-memory", tokens: 1, from: "you" },
    ];
    expect(gaugeView(gauge({ parts })).segments[0]?.parts.map(({ label }) => label)).toEqual([
      "Instructions · project",
      "About you · project",
      "About you · yours",
    ]);
  });

  test("adds up parts by source in a fixed order, free space last", () => {
    expect(gaugeView(gauge()).segments).toEqual([
      {
        source: "prompt",
        tokens: 100,
        share: 0.1,
        parts: [
          { label: "memory", tokens: 60 },
          { label: "soul", tokens: 40 },
        ],
      },
      { source: "messages", tokens: 300, share: 0.3, parts: [{ label: "Messages", tokens: 300 }] },
      { source: "free", tokens: 600, share: 0.6, parts: [] },
    ]);
  });

  test("fills the bar and says how far over it is when the request does not fit", () => {
    const view = gaugeView(gauge({ contextWindow: 320 }));
    expect(view).toMatchObject({ usedShare: 1.25, level: "full", freeTokens: 0 });
    expect(view.segments.map((segment) => segment.source)).toEqual(["prompt", "messages"]);
    expect(view.segments.reduce((sum, segment) => sum + segment.share, 0)).toBe(1);
  });

  test("shows an empty window as free", () => {
    const view = gaugeView(gauge({ parts: [], usedTokens: 0 }));
    expect(view.segments).toEqual([{ source: "free", tokens: 1_000, share: 1, parts: [] }]);
  });
});

describe("gaugeLevel", () => {
  test.each([
    [0, "calm"],
    [0.799, "calm"],
    [0.8, "warn"],
    [0.95, "full"],
    [2, "full"],
  ])("at %d it is %s", (share, level) => {
    expect(gaugeLevel(share)).toBe(level);
  });
});

describe("turnsLeft", () => {
  test("divides what is free by the average turn so far", () => {
    const range = {
      fromMessageId: "a",
      toMessageId: "b",
      messageCount: 6,
      summarizedCount: 0,
      tokens: 500,
    };
    expect(
      turnsLeft(1_000, { isWriting: false, range, keptMessageCount: 4, keptTokens: 500 }),
    ).toBe(5);
  });

  test("is unknown before the first turn", () => {
    expect(
      turnsLeft(1_000, { isWriting: false, range: null, keptMessageCount: 1, keptTokens: 20 }),
    ).toBeNull();
  });
});
