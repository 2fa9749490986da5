import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExportDamagedError } from "../session/internal";
import { describeArchive } from "../session/testing";
import { archiveName } from "./archive-name";
import { folderArchive } from "./folder-archive";
import { unreadable } from "./testing/unreadable";

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "grove-archives-"));
});
afterAll(() => rm(root, { recursive: true }));

describeArchive("folderArchive", (owner) => folderArchive(join(root, owner)), {
  async makeBroken() {
    const path = join(root, crypto.randomUUID());
    await writeFile(path, "a file, not a folder");
    return folderArchive(path);
  },
});

async function newFolder(): Promise<string> {
  const folder = join(root, crypto.randomUUID());
  await mkdir(folder);
  return folder;
}

test("a file is named after its session and readable as it is", async () => {
  const folder = await newFolder();
  await folderArchive(folder).put("tea-1", "line\n");
  await folderArchive(folder).put("Tea/2", "line\n");
  expect((await readdir(folder)).sort()).toEqual(["_54ea_2f2.jsonl", "tea-1.jsonl"]);
  expect(await readFile(join(folder, "tea-1.jsonl"), "utf8")).toBe("line\n");
});

test("no id leads out of the folder, and nothing but whole files remains in it", async () => {
  const folder = join(await newFolder(), "inner");
  const archive = folderArchive(folder);
  await archive.put("../outside", "x");
  await archive.put("/etc/outside", "x");
  expect(await readdir(join(folder, ".."))).toEqual(["inner"]);
  for (const name of await readdir(folder)) expect(name).toMatch(/^[a-z\d_-]+\.jsonl$/);
});

test("other files in the folder are neither listed nor read", async () => {
  const folder = await newFolder();
  for (const name of ["notes.txt", ".tea.jsonl.1", "Tea.jsonl", "tea copy.jsonl", "_5.jsonl"])
    await writeFile(join(folder, name), "x");
  const archive = folderArchive(folder);
  for await (const session of archive.list()) expect(session).toBeNull();
  expect(await archive.get("Tea")).toBeNull();
});

test("a file that is not UTF-8 is damaged, instead of being read with replaced characters", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "tea.jsonl"), Buffer.from([0x22, 0xff, 0x22]));
  await expect(folderArchive(folder).get("tea")).rejects.toThrow(ExportDamagedError);
});

test.each(unreadable)(
  "a file whose id cannot be read, as %j, is left out of the list",
  async (line) => {
    const folder = await newFolder();
    const archive = folderArchive(folder);
    await archive.put("tea", "text");
    await writeFile(
      join(folder, archiveName("x".repeat(200))),
      Buffer.from(`{}\n${line}\n`, "latin1"),
    );
    const ids = [];
    for await (const { sessionId } of archive.list()) ids.push(sessionId);
    expect(ids).toEqual(["tea"]);
  },
);

test("a write that cannot take its place leaves no other file", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "tea.jsonl"));
  await expect(folderArchive(folder).put("tea", "text")).rejects.toThrow(
    `The folder ${folder} failed (EISDIR).`,
  );
  expect(await readdir(folder)).toEqual(["tea.jsonl"]);
});
