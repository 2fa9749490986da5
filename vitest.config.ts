import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

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
    // Specs need a build before: `npm run test:library`, `npm run test:drills`.
    include: process.env.GROVE_TEST_SPECS
      ? [`lib/${process.env.GROVE_TEST_SPECS}/**/*.spec.ts`]
      : ["{app,docs,lib}/**/*.test.{ts,tsx}"],
    globalSetup: ["lib/postgres/testing/database-server.ts"],
    pool: "forks",
    // The default leaves one processor free, which is half of two.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // For a machine that is doing other things, too.
    expect: { poll: { timeout: 30_000 } },
    sequence: { shuffle: true },
  },
});
