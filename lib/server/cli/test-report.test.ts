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
  { report: { stats: { expected: 4, unexpected: 0, flaky: 1 }, errors: [] }, passed: 5, failed: 0 },
  {
    report: { stats: { expected: 0, unexpected: 0, flaky: 0 }, errors: [{}] },
    passed: 0,
    failed: 1,
  },
])("counts $passed passed and $failed failed", async ({ report, passed, failed }) => {
  const path = await file(JSON.stringify(report));
  expect(await readTestReport(path)).toEqual({ passed, failed });
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
