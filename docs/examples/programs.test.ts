import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";

const root = fileURLToPath(new URL("../..", import.meta.url));
const withoutNext = ["--import", "tsx", "--import", "./docs/testing/refuse-next.ts"];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
});
afterAll(() => database.drop());

function runScript(...args: readonly string[]) {
  const env = { ...process.env, DATABASE_URL: database.url };
  return promisify(execFile)(process.execPath, args, { cwd: root, env });
}

test("the quick start works in a process of its own, on an empty database, without Next", {
  tags: "long",
}, async () => {
  const { stdout, stderr } = await runScript(...withoutNext, "docs/examples/quick-start.ts");

  expect(stdout).toContain("MEMORY (Facts about Ada) [writable]");
  expect(stdout).toContain("Drinks green tea.");
  expect(stdout).toMatch(/id: 'q1'.*id: 'a2'/s);
  expect(stdout).not.toContain("id: 'a1'");
  expect(stderr).toBe("");
});

test("the quick start can be run again, and notes once what it notes", {
  tags: "long",
}, async () => {
  await runScript(...withoutNext, "docs/examples/quick-start.ts");
  const { stdout } = await runScript(...withoutNext, "docs/examples/quick-start.ts");
  expect(stdout.split("Drinks green tea.")).toHaveLength(2);
  expect(stdout).toMatch(/id: 'q1'.*id: 'a2'/s);
});

test("the program in memory makes what a model is given", { tags: "long" }, async () => {
  const { stdout, stderr } = await runScript(...withoutNext, "docs/examples/in-memory.ts");

  expect(stdout).toContain("MEMORY (Facts about the person) [0% — 0/1100 tokens] [writable]");
  expect(stdout).toMatch(/How long does tea steep\?.*Two, if green\./);
  expect(stdout).toContain("[ 'set_context', 'search_context', 'session_search' ]");
  expect(stderr).toBe("");
});

test("a program that asks for Next would fail here", { tags: "long" }, async () => {
  const program = runScript(
    ...withoutNext,
    ...["--input-type=module", "--eval", 'import "next/server"'],
  );
  await expect(program).rejects.toThrow("next/server is not for the library.");
});
