import { readFile } from "node:fs/promises";
import { z } from "zod";

export interface TestReport {
  passed: number;
  failed: number;
  remarks: string[];
}

const vitest = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    numFailedTestSuites: z.number(),
    testResults: z
      .array(
        z.object({
          name: z.string(),
          status: z.string(),
          message: z.string().default(""),
          assertionResults: z
            .array(
              z.object({
                status: z.string(),
                fullName: z.string(),
                failureMessages: z.array(z.string()).nullish(),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
  })
  .transform(
    (report): TestReport => ({
      passed: report.numPassedTests,
      // A file that cannot be loaded is a failure without a test.
      failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0),
      remarks: report.testResults.flatMap((file) => {
        const failures = file.assertionResults
          .filter(({ status }) => status === "failed")
          .map((test) =>
            remark(`failed: ${file.name} › ${test.fullName}`, test.failureMessages?.[0]),
          );
        const isUnloadable = file.status === "failed" && failures.length === 0;
        return isUnloadable ? [remark(`failed: ${file.name}`, file.message)] : failures;
      }),
    }),
  );

interface Suite {
  title: string;
  suites?: Suite[] | undefined;
  specs?: Spec[] | undefined;
}

const spec = z.object({
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z
        .array(z.object({ error: z.object({ message: z.string().optional() }).nullish() }))
        .default([]),
    }),
  ),
});
type Spec = z.infer<typeof spec>;

const suite: z.ZodType<Suite> = z.object({
  title: z.string(),
  get suites() {
    return z.array(suite).optional();
  },
  specs: z.array(spec).optional(),
});

const playwright = z
  .object({
    stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
    errors: z.array(z.object({ message: z.string().optional() })).default([]),
    suites: z.array(suite).default([]),
  })
  .transform(
    ({ stats, errors, suites }): TestReport => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      remarks: [
        ...suites.flatMap((one) => suiteRemarks(one)),
        ...errors.map(({ message }) => remark("failed: the browser tests", message)),
      ],
    }),
  );

export async function readTestReport(path: string): Promise<TestReport | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  return z.union([vitest, playwright]).parse(JSON.parse(text));
}

/** Tests are not retried, so a flaky test has failed. */
const failedStatuses: readonly string[] = ["unexpected", "flaky"];

function suiteRemarks({ title, suites = [], specs = [] }: Suite, path = ""): string[] {
  const here = path ? `${path} › ${title}` : title;
  const own = specs.flatMap((one) =>
    one.tests.flatMap(({ status, results }) => {
      if (!failedStatuses.includes(status)) return [];
      const error = results.find((result) => result.error)?.error?.message;
      return [remark(`failed: ${here} › ${one.title}`, error)];
    }),
  );
  return [...own, ...suites.flatMap((one) => suiteRemarks(one, here))];
}

function remark(what: string, error: string | undefined): string {
  const line = error?.trim().split("\n")[0];
  return line ? `${what}: ${line}` : what;
}
