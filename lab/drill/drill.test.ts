import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { drills } from "./all-drills";
import { type Drill, drillReport, runDrill } from "./drill";

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
    expect(drillReport(kills, { count: 1_000, seed: 7, isCutShort: false }, result)).toBe(
      "held  kills: 1,000 kills (seed 7) · acknowledged messages 13,491 · longest wait (ms) 12.3",
    );
  });

  it("lists every broken guarantee", () => {
    const result = { broken: ["Message m1 is lost."], figures: {} };
    expect(drillReport(kills, { count: 10, seed: 7, isCutShort: true }, result)).toBe(
      "BROKEN  kills: part of 10 kills (seed 7)\n  - Message m1 is lost.",
    );
  });
});

describe("runDrill", () => {
  const options = { count: 1, seed: 7, say: () => undefined };

  it("fails for a part that could not be run", async () => {
    const noBrowser = async () => Promise.reject(new Error("No Chromium runs here."));
    const { signal } = new AbortController();
    const { report, failures } = await runDrill(
      { ...kills, run: noBrowser },
      { ...options, signal },
    );
    expect(report).toContain("NOT RUN TO ITS END  kills: Error: No Chromium runs here.");
    expect(failures).toBe(1);
  });

  it("ends a part after its minutes and reports what it found until then", async () => {
    const run: Drill["run"] = async ({ signal }) => {
      await new Promise((ended) => signal.addEventListener("abort", ended));
      return { broken: [], figures: { kills: 3 } };
    };
    const { signal } = new AbortController();
    const ran = await runDrill({ ...kills, run }, { ...options, signal, minutes: 0.001 });
    expect(ran).toEqual({
      report: "held  kills: part of 1 kills (seed 7) · kills 3",
      failures: 0,
    });
  });

  it("fails for a part that was interrupted, though nothing was broken until then", async () => {
    const signal = AbortSignal.abort();
    const { report, failures } = await runDrill(kills, { ...options, signal });
    expect(report).toMatch(/^NOT RUN TO ITS END {2}kills: It was interrupted\./);
    expect(failures).toBe(1);
  });
});

it("Every drill has a name of its own", () => {
  const names = drills.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it("Every drill has a row in docs/reliability.md, and every test named there exists", async () => {
  const page = await readFile("docs/reliability.md", "utf8");
  expect(drills.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
  const named = page.match(/(?<=[` ])(?:app|lab|lib)\/[^`]+(?=`)/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
