import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UIMessageChunk } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { asSpace } from "@/lib/chat/core/person-in-space";
import { AnswerSpool } from "./answer-spool";

const address = { ownerId: asSpace("owner"), runId: "../run" };
const run = { ...address, part: 0 };
const words = (...texts: string[]): UIMessageChunk[] =>
  texts.map((delta) => ({ type: "text-delta", id: "t", delta }));

async function spoolIn() {
  const parent = await mkdtemp(join(tmpdir(), "grove-spool-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "unsaved");
  const failures: unknown[] = [];
  const spool = new AnswerSpool(folder, (error) => void failures.push(error));
  return {
    spool,
    folder,
    failures,
    file: async () => join(folder, (await readdir(folder))[0] ?? ""),
  };
}

test("An answer is read back as it was appended, whatever its id", async () => {
  const { spool } = await spoolIn();
  expect(await spool.append(run, { from: 0, chunks: words("One ", "two ") })).toBe(true);
  expect(await spool.append(run, { from: 2, chunks: words("\u2028three") })).toBe(true);
  expect(await spool.read(run)).toEqual(words("One ", "two ", "\u2028three"));
  expect(await spool.read({ ...run, ownerId: asSpace("other") })).toEqual([]);
  expect(await spool.runs()).toEqual([address]);
  await spool.remove(run);
  expect(await spool.runs()).toEqual([]);
});

test("Chunks of a run before its pause are not read as those after it", async () => {
  const { spool } = await spoolIn();
  await spool.append(run, { from: 0, chunks: words("Before", "Pause") });
  const after = { ...run, part: 1 };
  expect(await spool.read(after)).toEqual([]);
  await spool.append(after, { from: 0, chunks: words("After") });
  expect(await spool.read(after)).toEqual(words("After"));
  expect(await spool.read(run)).toEqual(words("Before", "Pause"));
});

test("Chunks of version 0.2, which stored no part, are read", async () => {
  const { spool, file } = await spoolIn();
  await spool.append(run, { from: 0, chunks: [] });
  const line = { ...address, from: 0, chunks: words("Old") };
  await writeFile(await file(), `\n${JSON.stringify(line)}\n`);
  expect(await spool.read({ ...run, part: 1 })).toEqual(words("Old"));
});

test("Only its owner may read the file of an answer", async () => {
  const { spool, folder, file } = await spoolIn();
  await spool.append(run, { from: 0, chunks: words("One") });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(await file())).mode & 0o777).toBe(0o600);
});

test("A file that stays is read once to find its run", async () => {
  const { spool, file } = await spoolIn();
  await spool.append(run, { from: 0, chunks: words("One") });
  await spool.runs();
  await writeFile(await file(), "");
  expect(await spool.runs()).toEqual([address]);
});

test("A line that a crash or a full disk cut short costs only itself", async () => {
  const { spool, file } = await spoolIn();
  await spool.append(run, { from: 0, chunks: words("One ") });
  const line = (await readFile(await file(), "utf8")).trim();
  await appendFile(await file(), `\n${line.slice(0, -5)}`);
  await spool.append(run, { from: 1, chunks: words("two") });
  expect(await spool.read(run)).toEqual(words("One ", "two"));
});

test("Reading ends where a chunk is missing, and reads none twice", async () => {
  const { spool } = await spoolIn();
  await spool.append(run, { from: 0, chunks: words("a", "b") });
  await spool.append(run, { from: 1, chunks: words("b", "c") });
  await spool.append(run, { from: 4, chunks: words("e") });
  expect(await spool.read(run)).toEqual(words("a", "b", "c"));
});

test("A folder that cannot be written to is reported once, and the answer goes on", async () => {
  const { spool, folder, failures } = await spoolIn();
  await writeFile(folder, "A file in its place");
  expect(await spool.append(run, { from: 0, chunks: words("a") })).toBe(false);
  expect(await spool.append(run, { from: 0, chunks: words("a") })).toBe(false);
  expect(failures).toHaveLength(1);
});
