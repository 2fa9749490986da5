import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

const root = fileURLToPath(new URL("../..", import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

function runScript(...args: readonly string[]) {
  const env = { ...process.env, DATABASE_URL: database.url };
  return promisify(execFile)(process.execPath, args, { cwd: root, env });
}

test("the library works in a process of its own, on an empty database, without Next", async () => {
  const { stdout, stderr } = await runScript(
    ...["--import", "tsx", "--import", "./docs/testing/refuse-next.ts"],
    "docs/examples/plain-script.ts",
  );

  expect(stdout.split("\n")).toEqual([
    "═".repeat(46),
    "MEMORY (Learned facts) [writable]",
    "═".repeat(46),
    "Drinks green tea.",
    "",
    "How long does tea steep?",
    "",
  ]);
  expect(stderr).toBe("");
});

test("a program that asks for Next would fail here", async () => {
  const program = runScript(
    ...["--import", "tsx", "--import", "./docs/testing/refuse-next.ts"],
    ...["--input-type=module", "--eval", 'import "next/server"'],
  );
  await expect(program).rejects.toThrow("next/server is not for the library.");
});
