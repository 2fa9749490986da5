import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

/** They need a build before: `npm run test:library`, `npm run test:drills`. */
const specs = process.env.GROVE_TEST_SPECS?.split(",").map(
  (name) => `{lab,lib}/${name}/**/*.spec.ts`,
);

/** They set what a process has once and for all: its doors, its tracer, a module. */
const ofAProcess = ["app/api/second-fence.test.ts", "lib/server/{front-door,tracing}.test.ts"];

/** They start the embedded Postgres, whichever the others are run on. */
const embedded = process.env.TEST_POSTGRES ? ["lib/postgres/embedded/**"] : [];

const common = {
  pool: "forks",
  // A worker keeps much and leaves much: with the default the garbage collector takes a tenth more of the processor.
  execArgv: ["--max-semi-space-size=32"],
  // On two cores, four take a quarter less time than two: tests of storage wait for the database half of theirs.
  maxWorkers: Math.max(4, availableParallelism()),
  // For a machine that is doing other things, too.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
} satisfies ViteUserConfig["test"];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@\//, replacement: `${root}/` },
      { find: /^grove-session$/, replacement: `${root}/lib/session/index.ts` },
      { find: /^grove-session\/testing$/, replacement: `${root}/lib/session/testing/index.ts` },
      {
        find: /^grove-session\/(postgres|skills|archives)$/,
        replacement: `${root}/lib/$1/index.ts`,
      },
      { find: /^grove-session\/(.+)$/, replacement: `${root}/lib/adapters/$1/index.ts` },
      { find: "server-only", replacement: `${root}/lib/server/testing/server-only.ts` },
    ],
  },
  test: {
    globalSetup: ["lib/postgres/testing/database-server.ts"],
    sequence: { shuffle: true },
    projects: specs
      ? [{ test: { ...common, name: "specs", include: specs } }]
      : [
          { test: { ...common, name: "process", include: ofAProcess } },
          {
            test: {
              ...common,
              name: "shared",
              include: ["{app,docs,lab,lib}/**/*.test.{ts,tsx}"],
              exclude: [...configDefaults.exclude, ...ofAProcess, ...embedded],
              // A process for each file takes half of the whole time to load what it imports.
              isolate: false,
              setupFiles: ["lib/server/testing/end-stubs.ts"],
              sequence: { groupOrder: 1 },
            },
          },
        ],
  },
});
