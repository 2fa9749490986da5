import { percentile } from "@/lab/bench/interleave";
import { freePort } from "@/lib/commands/testing/grove-process";
import { type DrillSite, settledAfter, withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { withHeapProbe } from "./heap-probe";
import { type Slowdown, whileMeasuring } from "./slowdown";
import { Visitor } from "./visitor";

const visitorCount = 8;
const loadMs = 15_000;
const warmUpShare = 0.25;
/** Share of the measurements after the warm-up, at either end. */
const comparedShare = 0.3;
const growthAtMost = 0.05;
/** Caches still fill in the first minutes. */
const shortMinutes = 10;
const growthOfShortAtMost = 0.25;
const settledWithinMs = 15_000;
const failuresShown = 20;
const pace = { words: 40, pauseMs: 4 };

export const soak: Drill = {
  name: "soak",
  promise: "Work leaves nothing behind in memory.",
  unit: "minutes",
  fullCount: 30,
  run: (options) =>
    withSite(options, (site) => whileMeasuring((slowdown) => runSoak(options, { site, slowdown }))),
};

async function runSoak(
  options: DrillOptions,
  { site, slowdown }: { site: DrillSite; slowdown: Slowdown },
): Promise<DrillResult> {
  const { count, seed, signal, say } = options;
  Object.assign(site.model.pace, pace);
  const port = await freePort();
  const server = await site.server({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
  const modelRef = await site.modelRef();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const given = { address: server.address, modelRef, counts, failures };
  const visitors = Array.from(
    { length: visitorCount },
    (_, n) => new Visitor({ ...given, seed: seed + n }),
  );
  const heaps: number[] = [];
  const broken: string[] = [];
  await withHeapProbe(port, async (probe) => {
    await Promise.all(visitors.map((visitor) => visitor.doEachOnce()));
    const begunAt = performance.now();
    const minutes = () => (performance.now() - begunAt) / 60_000;
    while (minutes() < count && !signal.aborted) {
      const overAt = performance.now() + loadMs;
      const isOver = () => signal.aborted || performance.now() >= overAt;
      await Promise.all(visitors.map((visitor) => visitor.visit(isOver)));
      const longestMs = settledWithinMs * slowdown.now;
      if ((await settledAfter(site, longestMs)) === null) broken.push("An answer never ended.");
      const bytes = await probe.usedAfterCollection();
      heaps.push(bytes);
      say(`${minutes().toFixed(1)} minutes, ${megabytes(bytes)} MB`);
    }
  });
  const { before, after } = ends(heaps);
  const growth = after / before - 1;
  const done = Object.values(counts).reduce((sum, times) => sum + times, 0);
  // A busy machine makes requests fail; those say nothing about memory.
  for (const failure of failures.slice(0, failuresShown)) say(failure);
  if (failures.length > done)
    broken.push(`Only ${done} of ${done + failures.length} actions succeeded.`);
  if (growth > (count < shortMinutes ? growthOfShortAtMost : growthAtMost))
    broken.push(`The heap grew from ${megabytes(before)} to ${megabytes(after)} MB.`);
  return {
    broken,
    figures: {
      ...counts,
      failed: failures.length,
      "heap after warming up (MB)": before / 1e6,
      "heap at the end (MB)": after / 1e6,
      "growth (%)": growth * 100,
    },
  };
}

function ends(heaps: readonly number[]): { before: number; after: number } {
  const warm = heaps.slice(Math.floor(heaps.length * warmUpShare));
  const compared = Math.ceil(warm.length * comparedShare);
  return {
    before: percentile(warm.slice(0, compared), 0.5),
    after: percentile(warm.slice(-compared), 0.5),
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
