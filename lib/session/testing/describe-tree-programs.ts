import fc from "fast-check";
import { describe, test } from "vitest";
import { runTreeProgram } from "./programs/run-tree-program";
import { treePrograms } from "./programs/tree-program";
import type { MakeStore } from "./store/make-store";

export interface TreeProgramOptions {
  readonly runs?: number;
  readonly maxSteps?: number;
}

/** Random programs of appends, edits, deletions, summaries, pins, switches and forks. */
export function describeTreePrograms(
  name: string,
  make: MakeStore,
  { runs = 200, maxSteps = 40 }: TreeProgramOptions = {},
): void {
  describe(`${name} behaves like a plain model of a tree`, () => {
    test("under any program, showing every message or exactly one summary of it", async () => {
      const property = fc.asyncProperty(treePrograms(maxSteps), async (program) => {
        await runTreeProgram(await make(), program);
      });
      await fc.assert(property, { numRuns: runs });
    }, 300_000);
  });
}
