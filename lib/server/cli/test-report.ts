import { readFile } from "node:fs/promises";
import { z } from "zod";

export interface TestCounts {
  passed: number;
  failed: number;
}

const vitest = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numFailedTestSuites: z.number(),
  })
  .transform(
    (report): TestCounts => ({
      passed: report.numPassedTests,
      // A file that cannot be loaded is a failure without a test.
      failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0),
    }),
  );

const playwright = z
  .object({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
    errors: z.array(z.unknown()).default([]),
  })
  .transform(
    ({ stats, errors }): TestCounts => ({
      // Where a second try is allowed, the list of the run names what needed it.
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
    }),
  );

/** Reads how many tests a runner's JSON report counts; `null` when it wrote none. */
export async function readTestReport(path: string): Promise<TestCounts | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  return z.union([vitest, playwright]).parse(JSON.parse(text));
}
