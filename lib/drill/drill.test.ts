import { describe, expect, it } from "vitest";
import { drills } from "./all-drills";
import { type Drill, drillReport } from "./drill";

const kills: Drill = {
  name: "kills",
  promise: "No acknowledged message is lost.",
  unit: "kills",
  fullCount: 1_000,
  run: async () => ({ broken: [], figures: {} }),
};

describe("drillReport", () => {
  it("names the count, the seed and each figure when the promise held", () => {
    const result = {
      broken: [],
      figures: { "acknowledged messages": 13_491, "longest wait (ms)": 12.34 },
    };
    expect(drillReport(kills, 1_000, 7, result)).toBe(
      "held  kills: 1,000 kills (seed 7) · acknowledged messages 13,491 · longest wait (ms) 12.3",
    );
  });

  it("lists every broken guarantee", () => {
    const result = { broken: ["Message m1 is lost."], figures: {} };
    expect(drillReport(kills, 10, 7, result)).toBe(
      "BROKEN  kills: 10 kills (seed 7)\n  - Message m1 is lost.",
    );
  });
});

it("Every drill has a name of its own", () => {
  const names = drills.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
