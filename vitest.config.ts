import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type ViteUserConfig } from "vitest/config";
import tsconfig from "./tsconfig.json" with { type: "json" };

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

/** They need a build before: `npm run test:library`, `npm run test:drills`. */
const specs = process.env.GROVE_TEST_SPECS?.split(",").map(
  (name) => `{lab,lib}/${name}/**/*.spec.ts`,
);

/** They set what a process has once and for all: its doors, its tracer, a module; or count what it runs. */
const ofAProcess = [
  "app/api/second-fence.test.ts",
  "app/files-of-a-path.test.ts",
  "lib/server/{front-door,tracing}.test.ts",
];

/** They start the embedded Postgres, whichever the others are run on. */
const embedded = process.env.TEST_POSTGRES ? ["lib/storage/embedded/**"] : [];

/** Tests of random programs try as many times more. */
const depth = Number(process.env.GROVE_TEST_DEPTH ?? 1);

/** Random programs, processes of their own, full disks: half a second of a processor or more each. `npm run test:long` runs them alone. */
const long = {
  name: "long",
  description: "Takes half a second or more; part of `npm run test:all`.",
};

const common = {
  pool: "forks",
  tags: [long],
  // A worker keeps much and leaves much: with the default the garbage collector takes a tenth more of the processor.
  execArgv: ["--max-semi-space-size=32"],
  // On two cores, four take a quarter less time than two: tests of storage wait for the database half of theirs.
  maxWorkers: Math.max(4, availableParallelism()),
  // A machine that is doing other things, too, needs this long.
  testTimeout: 120_000 * depth,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
} satisfies ViteUserConfig["test"];

/** They share a process: one for each file takes half of the whole time to load what it imports. */
const shared = {
  ...common,
  exclude: [...configDefaults.exclude, ...ofAProcess, ...embedded],
  isolate: false,
  setupFiles: ["lib/server/testing/end-stubs.ts"],
  sequence: { groupOrder: 1 },
} satisfies ViteUserConfig["test"];

const alias = [
  { find: /^@\//, replacement: `${root}/` },
  ...Object.entries(tsconfig.compilerOptions.paths)
    .filter(([name]) => !name.endsWith("*"))
    .map(([name, [path]]) => ({ find: new RegExp(`^${name}$`), replacement: `${root}/${path}` })),
  { find: "server-only", replacement: `${root}/lib/server/testing/server-only.ts` },
];

const story = (name: string) => `${root}/app/_stories/testing/${name}`;

/** Instead of Next, in stories without a browser. */
const withoutNext = [
  { find: /^next\/dynamic$/, replacement: story("next-dynamic.ts") },
  { find: /^next\/link$/, replacement: story("next-link.ts") },
  { find: /^next\/navigation$/, replacement: story("navigation.tsx") },
];

export default defineConfig({
  resolve: { alias },
  test: {
    globalSetup: ["lib/postgres/testing/database-server.ts"],
    sequence: { shuffle: true },
    tags: [long],
    projects: specs
      ? [{ test: { ...common, name: "specs", include: specs } }]
      : [
          { test: { ...common, name: "process", include: ofAProcess } },
          {
            test: {
              ...shared,
              name: "shared",
              include: ["{app,docs,e2e,lib}/**/*.test.{ts,tsx}"],
              exclude: [...shared.exclude, "app/_stories/**"],
            },
          },
          {
            resolve: { alias: [...withoutNext, ...alias] },
            // React takes a third of the time of its development build.
            oxc: { jsx: { runtime: "automatic", development: false } },
            test: {
              ...shared,
              env: { NODE_ENV: "production" },
              name: "page",
              // Each loads the whole page, and none waits.
              maxWorkers: Math.max(2, availableParallelism()),
              sequence: { groupOrder: 2 },
              // Beside other work a step takes a minute.
              testTimeout: 240_000,
              expect: { poll: { timeout: 60_000 } },
              include: ["app/_stories/*.test.ts"],
              environment: story("page-environment.ts"),
            },
          },
          { test: { ...shared, name: "lab", include: ["lab/**/*.test.ts"] } },
        ],
  },
});
