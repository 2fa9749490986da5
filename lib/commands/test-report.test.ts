import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTestReport } from "./test-report";

test.each([
  {
    report: { numPassedTests: 9, numFailedTests: 2, numFailedTestSuites: 1 },
    passed: 9,
    failed: 2,
  },
  {
    report: { numPassedTests: 9, numFailedTests: 0, numFailedTestSuites: 1 },
    passed: 9,
    failed: 1,
  },
  { report: { stats: { expected: 4, unexpected: 1, flaky: 0 }, errors: [] }, passed: 4, failed: 1 },
  { report: { stats: { expected: 4, unexpected: 0, flaky: 1 }, errors: [] }, passed: 4, failed: 1 },
  {
    report: { stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{}] },
    passed: 0,
    failed: 1,
  },
])("counts $passed passed and $failed failed", async ({ report, passed, failed }) => {
  const path = await file(JSON.stringify(report));
  expect(await readTestReport(path)).toMatchObject({ passed, failed });
});

test("names what failed in a unit run", async () => {
  const path = await file(
    JSON.stringify({
      numPassedTests: 1,
      numFailedTests: 1,
      numFailedTestSuites: 2,
      testResults: [
        {
          name: "tree.test.ts",
          status: "failed",
          message: "",
          assertionResults: [
            { status: "passed", fullName: "a tree grows", failureMessages: [] },
            { status: "failed", fullName: "a tree branches", failureMessages: ["Error: no\n  at"] },
          ],
        },
        { name: "broken.test.ts", status: "failed", message: "Cannot find module 'x'" },
      ],
    }),
  );
  expect((await readTestReport(path))?.remarks).toEqual([
    "failed: tree.test.ts › a tree branches: Error: no",
    "failed: broken.test.ts: Cannot find module 'x'",
  ]);
});

test("names what failed in a browser, flaky ones included", async () => {
  const failing = { status: "unexpected", results: [{ error: { message: "Error: not seen\n…" } }] };
  const flaky = { status: "flaky", results: [{ error: { message: "Timeout" } }, {}] };
  const fine = { status: "expected", results: [{}] };
  const path = await file(
    JSON.stringify({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      errors: [{ message: "no server" }],
      suites: [
        {
          title: "fork.spec.ts",
          specs: [{ title: "I fork", tests: [failing] }],
          suites: [
            {
              title: "Forks",
              specs: [
                { title: "I go on", tests: [fine] },
                { title: "I go back", tests: [flaky] },
              ],
            },
          ],
        },
      ],
    }),
  );
  expect((await readTestReport(path))?.remarks).toEqual([
    "failed: fork.spec.ts › I fork: Error: not seen",
    "failed: fork.spec.ts › Forks › I go back: Timeout",
    "failed: the browser tests: no server",
  ]);
});

test("knows nothing of a runner that wrote no report", async () => {
  expect(await readTestReport(join(tmpdir(), "no", "such", "report.json"))).toBeNull();
});

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "grove-report-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "report.json"), text);
  return join(folder, "report.json");
}
