import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@\//, replacement: `${root}/` },
      { find: "server-only", replacement: `${root}/lib/server/testing/server-only.ts` },
    ],
  },
  test: {
    include: ["{app,docs,lib}/**/*.test.{ts,tsx}"],
    globalSetup: ["lib/postgres/testing/database-server.ts"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // For a machine that is doing other things, too.
    expect: { poll: { timeout: 30_000 } },
    sequence: { shuffle: true },
  },
});
