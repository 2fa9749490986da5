import { execFile } from "node:child_process";
import { chmod, readdir, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "@/lib/postgres/start";
import { temporaryDataDir } from "@/lib/postgres/testing/temporary-data-dir";
import { isRoot } from "./account";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded-postgres";

const run = promisify(execFile);
let original = "";

beforeAll(async () => {
  original = await temporaryDataDir();
  const server = await startEmbeddedPostgres({ dataDir: original });
  await ask(server.url, "create table words as select 'kept' as word");
  await server.stop();
});
afterAll(() => rm(original, { recursive: true, force: true }));

test("A copy made after a clean stop starts with everything", { tags: "long" }, async () => {
  const { url } = await start(await copyOf(original));
  expect(await ask(url, "select word from words")).toEqual([{ word: "kept" }]);
});

test("A copy made while Grove runs starts beside it, leaves it alone, and says what it is", {
  tags: "long",
}, async () => {
  const running = await start(original);
  const copy = await copyOf(original);
  const said: string[] = [];
  const { url } = await start(copy, (line) => void said.push(line));
  expect(await ask(url, "select word from words")).toEqual([{ word: "kept" }]);
  expect(said).toEqual([
    expect.stringMatching(/is a copy of .*, made while a database ran there\. It was recovered/),
  ]);
  expect(await ask(running.url, "select word from words")).toEqual([{ word: "kept" }]);
  expect(url).not.toBe(running.url);
});

test("A copy that lost its mode and its empty folders starts", { tags: "long" }, async () => {
  const copy = await copyOf(original);
  const folder = join(copy, "postgres");
  await chmod(folder, 0o755);
  for (const name of await readdir(folder)) await rmdir(join(folder, name)).catch(() => undefined);
  expect(await readdir(folder)).not.toContain("pg_notify");
  const { url } = await start(copy);
  expect(await ask(url, "select word from words")).toEqual([{ word: "kept" }]);
});

test.runIf(isRoot())(
  "A copy that belongs to root is given to the account of Postgres",
  { tags: "long" },
  async () => {
    const copy = await copyOf(original, "-r");
    expect((await stat(join(copy, "postgres"))).uid).toBe(0);
    const { url } = await start(copy);
    expect(await ask(url, "select word from words")).toEqual([{ word: "kept" }]);
  },
);

test("A copy that was cut short is refused and left as it was", { tags: "long" }, async () => {
  const copy = await copyOf(original);
  const folder = join(copy, "postgres");
  await rm(join(folder, "global", "pg_control"));
  await rm(join(folder, "pg_notify"), { recursive: true });
  await expect(start(copy)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringMatching(/incomplete.*global\/pg_control is missing/),
  });
  expect(await readdir(folder)).not.toContain("pg_notify");
});

test.each([
  ["lost its log", async (folder: string) => emptyOut(join(folder, "pg_wal"))],
  ["has a cut control file", (folder: string) => truncate(join(folder, "global/pg_control"), 100)],
])("A copy that %s is called damaged, with what to do", { tags: "long" }, async (_, damage) => {
  const copy = await copyOf(original);
  await damage(join(copy, "postgres"));
  await expect(start(copy)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringMatching(/is damaged.*copy the whole data folder again/),
  });
});

test("A copy of another major version is refused with a way out", { tags: "long" }, async () => {
  const copy = await copyOf(original);
  await writeFile(join(copy, "postgres", "PG_VERSION"), "17\n");
  await expect(start(copy)).rejects.toMatchObject({ code: "other-version" });
});

async function copyOf(dataDir: string, mode = "-a"): Promise<string> {
  const copy = await temporaryDataDir();
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  // A file may go while a running folder is copied.
  await run("cp", [mode, `${dataDir}/.`, copy]).catch(() => undefined);
  await chmod(copy, 0o711);
  return copy;
}

async function start(dataDir: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ...(log && { log }) });
  onTestFinished(() => server.stop());
  return server;
}

async function emptyOut(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    await rm(join(folder, name), { recursive: true, force: true });
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const sql = connect(url, { max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}
