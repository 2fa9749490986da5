import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeArchive } from "../session/testing";
import { type SqliteArchive, sqliteArchive } from "./sqlite-archive";

let root: string;
const opened: SqliteArchive[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "grove-sqlite-"));
});
afterEach(async () => {
  for (const archive of opened.splice(0)) await archive.close();
});
afterAll(() => rm(root, { recursive: true }));

function open(path: string, owner?: string): SqliteArchive {
  const archive = sqliteArchive({ path, owner });
  opened.push(archive);
  return archive;
}

describeArchive("sqliteArchive", (owner) => open(join(root, "archive.db"), owner), {
  async makeBroken() {
    const path = join(root, crypto.randomUUID());
    await writeFile(path, "no database, only text ".repeat(100));
    return open(path);
  },
});

test("a file is read again after it was closed, also by the same archive", async () => {
  const path = join(root, "again.db");
  const archive = open(path);
  await archive.put("tea", "text");
  await archive.close();
  expect(await archive.get("tea")).toBe("text");
  expect(await open(path).get("tea")).toBe("text");
});

test("writers of several processes wait for each other", { tags: "long" }, async () => {
  const path = join(root, "shared.db");
  await open(path).put("first", "text");
  const writer = `
    import { sqliteArchive } from ${JSON.stringify(join(process.cwd(), "lib/archives"))};
    const [path, name] = process.argv.slice(2);
    const archive = sqliteArchive({ path });
    for (let n = 0; n < 50; n++) await archive.put(name + n, "x".repeat(10_000));
    await archive.close();`;
  const script = join(root, "writer.mts");
  await writeFile(script, writer);
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", script, path, name]);
  await Promise.all(["a", "b"].map(run));
  let count = 0;
  for await (const _ of open(path).list()) count++;
  expect(count).toBe(101);
});
