import { describe, expect, it } from "vitest";
import type { UsageSumWire } from "@/lib/chat/wire/usage";
import { barLabel, scaleTop, usageBars } from "./usage-bars";

const sum = (inputTokens: number): UsageSumWire => ({
  calls: 1,
  inputTokens,
  cachedTokens: 0,
  outputTokens: 1,
  cost: 0.5,
  unpricedCalls: 0,
  estimatedCalls: 0,
});

describe("usageBars", () => {
  it("has a bar for every day, those without calls too", () => {
    const { span, bars } = usageBars({
      from: "2026-02-27",
      to: "2026-03-02",
      days: [{ day: "2026-03-01", ...sum(7) }],
    });
    expect(span).toBe("day");
    expect(bars.map(({ from, inputTokens }) => [from, inputTokens])).toEqual([
      ["2026-02-27", 0],
      ["2026-02-28", 0],
      ["2026-03-01", 7],
      ["2026-03-02", 0],
    ]);
  });

  it("adds up weeks when days would be too many, and then months", () => {
    const days = [
      { day: "2026-01-02", ...sum(1) },
      { day: "2026-01-04", ...sum(2) },
      { day: "2026-01-05", ...sum(4) },
    ];
    const weeks = usageBars({ from: "2026-01-02", to: "2026-06-30", days });
    expect(weeks.span).toBe("week");
    expect(weeks.bars.slice(0, 2)).toMatchObject([
      { from: "2026-01-02", to: "2026-01-03", inputTokens: 1 },
      { from: "2026-01-04", to: "2026-01-10", inputTokens: 6, calls: 2, cost: 1 },
    ]);
    const months = usageBars({ from: "2026-01-02", to: "2029-01-01", days });
    expect(months.span).toBe("month");
    expect(months.bars[0]).toMatchObject({ from: "2026-01-02", to: "2026-01-31", inputTokens: 7 });
    expect(months.bars).toHaveLength(37);
  });

  it("loses nothing of the total, whatever the span", () => {
    for (const to of ["2026-01-09", "2026-09-09", "2030-01-01"]) {
      const days = ["2026-01-01", "2026-01-08", "2026-01-09"].map((day) => ({ day, ...sum(5) }));
      const { bars } = usageBars({ from: "2026-01-01", to, days });
      expect(bars.reduce((total, bar) => total + bar.inputTokens, 0)).toBe(15);
    }
  });

  it("is empty when nothing was ever used", () => {
    expect(usageBars({ from: null, to: "2026-01-01", days: [] }).bars).toEqual([]);
  });
});

it("a scale ends at a round number that holds its highest value", () => {
  expect([0, 0.003, 1, 1.1, 4_100, 51].map(scaleTop)).toEqual([1, 0.005, 1, 2, 5_000, 100]);
});

it("a bar is named by its days", () => {
  const bar = { from: "2026-11-16", to: "2026-11-22" };
  expect(barLabel(bar, "day")).toBe("Mon, Nov 16");
  expect(barLabel(bar, "week")).toBe("Nov 16 – Nov 22");
  expect(barLabel(bar, "month")).toBe("November 2026");
});
