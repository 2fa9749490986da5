import { defineConfig } from "@playwright/test";
import { findChromium } from "./e2e/support/chromium";
import { freePort } from "./lib/commands/testing/grove-process";

// Playwright reads this file again in every worker, and all of them must mean the same server.
process.env.GROVE_E2E_PORT ??= String(await freePort());
const port = process.env.GROVE_E2E_PORT;
const { executablePath, args, env } = await findChromium();
const baseURL = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A story waits for half of its time.
  workers: 4,
  // For a machine that is doing other things, too; on a quiet one a story takes seconds.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env.GROVE_TEST_REPORT
    ? [["list"], ["json", { outputFile: process.env.GROVE_TEST_REPORT }]]
    : [["list"]],
  use: {
    baseURL,
    // Recording takes a third of the processor; `-- --trace=retain-on-failure` asks for it.
    trace: "off",
    screenshot: "only-on-failure",
    // Only the story about the installed app wants one: it would come between a page and what a test puts in its way.
    serviceWorkers: "block",
    launchOptions: {
      executablePath,
      args: [...args, "--js-flags=--max-lazy --no-turbofan --no-maglev"],
      env: { ...inherited(), ...env },
    },
  },
  projects: [
    // Motion takes a quarter of a story's processor time; the other stories have it.
    {
      name: "essential",
      grep: /@essential/,
      use: { contextOptions: { reducedMotion: "reduce" } },
    },
    { name: "other", grepInvert: /@essential/ },
  ],
  webServer: {
    command: "node --import tsx e2e/support/start-grove.ts",
    url: `${baseURL}/api/health`,
    env: { ...inherited(), PORT: port },
    stdout: "pipe",
    timeout: 600_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
  },
});

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
