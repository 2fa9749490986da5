import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findInstalledPostgres } from "@/lib/postgres/testing/installed-postgres";
import { readTestReport, type TestReport } from "./test-report";

interface Step {
  name: string;
  command: string;
  /** Path of the runner's report. */
  report?: string;
  /** Required files. */
  needs?: string[];
  env?: Record<string, string>;
}

/** The oldest supported Postgres. */
const oldest = "15";

/** CI repeats one order, so that a commit is judged by what it changes; elsewhere each run has an order of its own. */
const seed = process.env.GROVE_TEST_SEED ?? (process.env.CI ? "1795366696279" : undefined);
const order = seed === undefined ? "" : ` --sequence.seed=${seed}`;

const reports = await mkdtemp(join(tmpdir(), "grove-test-"));
const unit = join(reports, "unit.json");
const onOldest = join(reports, "oldest.json");
const built = join(reports, "built.json");
const endToEnd = join(reports, "end-to-end.json");

const steps: Step[] = [
  { name: "lint", command: "npm run lint" },
  { name: "types", command: "npm run types" },
  {
    name: "unit and storage tests",
    command: `npm run test:unit --${order} --reporter=default --reporter=json --outputFile.json="${unit}"`,
    report: unit,
  },
  ...stepsOnInstalled(),
  // One build for all that follows: with what a package needs beside it, which a start does not mind.
  { name: "build", command: "npm run build", env: { GROVE_PACK: "1" } },
  {
    name: "tests of the package, the packed app and the built app",
    // At once: those of the package and of the packed app wait for a third of their time.
    command: `npm run test:built --${order} --reporter=default --reporter=json --outputFile.json="${built}"`,
    report: built,
    needs: ["build"],
  },
  { name: "end-to-end tests", command: "npm run test:e2e", report: endToEnd, needs: ["build"] },
];

// Runs every step even after a failure, to report everything at once.
const total: TestReport = { passed: 0, failed: 0, remarks: [] };
const failures: string[] = [];
const durations: string[] = [];
for (const step of steps) {
  const startedAt = performance.now();
  const isBlocked = step.needs?.some((name) => failures.includes(name));
  const ok = !isBlocked && (await run(step));
  const report = step.report ? await readTestReport(step.report) : null;
  if (!ok) failures.push(step.name);
  total.passed += report?.passed ?? 0;
  // A step can fail without a failing test, such as a build.
  const failed = report?.failed ?? 0;
  total.failed += ok ? failed : Math.max(failed, 1);
  total.remarks.push(...(report?.remarks ?? []));
  durations.push(`${Math.round((performance.now() - startedAt) / 1_000)} s ${step.name}`);
}
await rm(reports, { recursive: true, force: true });
for (const remark of total.remarks) console.error(remark);
if (failures.length > 0) console.error(`Failed: ${failures.join(", ")}.`);
console.info(durations.join(", "));
console.info(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs the storage tests on the oldest Postgres, where installed. */
function stepsOnInstalled(): Step[] {
  const installed = findInstalledPostgres(oldest);
  if (!installed) {
    console.info(`Skipped: storage tests on Postgres ${oldest}, which is not installed here.`);
    return [];
  }
  return [
    {
      name: `storage tests on Postgres ${oldest} of ${installed}`,
      command: `npm run test:unit -- lib/postgres${order} --reporter=default --reporter=json --outputFile.json="${onOldest}"`,
      report: onOldest,
      env: { TEST_POSTGRES: installed, TEST_DATABASE_URL: "" },
    },
  ];
}

function run({ name, command, env }: Step): Promise<boolean> {
  console.info(`\n── ${name}`);
  const child = spawn(command, {
    shell: true,
    stdio: "inherit",
    env: { ...process.env, ...env, GROVE_TEST_REPORT: endToEnd },
  });
  return new Promise((done) => {
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
  });
}
