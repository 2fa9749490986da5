import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findInstalledPostgres } from "@/lib/postgres/testing/installed-postgres";
import { readTestReport, type TestReport } from "./test-report";

interface TestStep {
  name: string;
  command: string;
  hasReport?: boolean;
  needs?: string[];
  env?: Record<string, string>;
  /** Runs while another step prints, and prints when it ends. */
  isBeside?: boolean;
}

const oldest = "15";

/** Each run has an order of its own: a fixed one hides what order breaks. */
const seed = process.env.GROVE_TEST_SEED ?? String(randomInt(2 ** 31));
const isWhole = process.argv.includes("--all");

const reports = await mkdtemp(join(tmpdir(), "grove-test-"));

const unit = unitTests({ name: "unit, component and storage tests", script: "test:unit" });
const beside: TestStep[] = [
  { name: "lint", command: "npm run lint", isBeside: true },
  { name: "types", command: "npm run types", isBeside: true },
  { name: "build", command: "npm run build", isBeside: true, env: { GROVE_PACK: "1" } },
];
const essential = stories({ name: "essential stories", choice: "--project=essential" });

console.info(`GROVE_TEST_SEED=${seed} repeats the order of this run.`);

const total: TestReport = { passed: 0, failed: 0, remarks: [] };
const failures: string[] = [];
const durations: string[] = [];
// Tests wait for databases and clocks, a build for its slowest part.
await Promise.all([inOrder([unit]), inOrder(beside)]);
await inOrder([essential, ...(isWhole ? furtherSteps() : [])]);
await rm(reports, { recursive: true, force: true });
for (const remark of total.remarks) console.error(remark);
if (failures.length > 0)
  console.error(`Failed: ${failures.join(", ")}. GROVE_TEST_SEED=${seed} repeats the order.`);
console.info(durations.join(", "));
console.info(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function inOrder(steps: readonly TestStep[]): Promise<void> {
  for (const step of steps) await take(step);
}

async function take(step: TestStep): Promise<void> {
  const startedAt = performance.now();
  const isBlocked = step.needs?.some((name) => failures.includes(name));
  const ok = !isBlocked && (await run(step));
  const report = step.hasReport ? await readTestReport(reportOf(step)) : null;
  if (!ok) failures.push(step.name);
  total.passed += report?.passed ?? 0;
  const failed = report?.failed ?? 0;
  total.failed += ok ? failed : Math.max(failed, 1);
  total.remarks.push(...(report?.remarks ?? []));
  durations.push(`${Math.round((performance.now() - startedAt) / 1_000)} s ${step.name}`);
}

function furtherSteps(): TestStep[] {
  return [
    unitTests({ name: "long unit, component and storage tests", script: "test:long" }),
    stories({ name: "other stories", choice: "--project=other" }),
    // The package's tests and the packed app's wait for a third of their time.
    {
      ...unitTests({
        name: "tests of the package, the packed app and the built app",
        script: "test:built",
      }),
      needs: ["build"],
    },
    ...stepsOnInstalled(),
    unitTests({ name: "drills of small counts", script: "test:lab" }),
    unitTests({ name: "deep tests", script: "test:deep" }),
  ];
}

function stepsOnInstalled(): TestStep[] {
  const installed = findInstalledPostgres(oldest);
  if (!installed) {
    console.info(`Skipped: storage tests on Postgres ${oldest}, which is not installed here.`);
    return [];
  }
  return [
    {
      ...unitTests({
        name: `storage tests on Postgres ${oldest} of ${installed}`,
        script: "test:storage",
      }),
      env: { TEST_POSTGRES: installed, TEST_DATABASE_URL: "" },
    },
  ];
}

function unitTests({ name, script }: Record<"name" | "script", string>): TestStep {
  const reporters = `--reporter=default --reporter=json --outputFile.json="${reportOf({ name })}"`;
  const command = `npm run ${script} -- --sequence.seed=${seed} ${reporters}`;
  return { name, command, hasReport: true };
}

function stories({ name, choice }: Record<"name" | "choice", string>): TestStep {
  const command = `npm run test:e2e -- --shuffle=${seed} ${choice}`;
  const env = { GROVE_TEST_REPORT: reportOf({ name }) };
  return { name, command, hasReport: true, needs: ["build"], env };
}

function reportOf({ name }: Pick<TestStep, "name">): string {
  return join(reports, `${name.replaceAll(/\W+/g, "-")}.json`);
}

function run({ name, command, env, isBeside }: TestStep): Promise<boolean> {
  console.info(`\n── ${name}`);
  const child = spawn(command, {
    shell: true,
    stdio: isBeside ? ["inherit", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  return new Promise((done) => {
    const end = (isDone: boolean) => {
      if (isBeside) console.info(`\n── ${name}: ${isDone ? "done" : "failed"}\n${printed}`);
      done(isDone);
    };
    child.once("error", () => end(false));
    child.once("close", (code) => end(code === 0));
  });
}
