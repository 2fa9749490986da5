import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { oneAtATime } from "./one-at-a-time";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "grove-once-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const signal = new AbortController().signal;

test("the second waits until the first has ended, also when that fails, and leaves nothing", async () => {
  const path = await folder();
  const file = join(path, "deep", "build");
  const said: string[] = [];
  const first = oneAtATime(file, { signal, pauseMs: 5 }, async () => {
    said.push("first");
    await delay(60);
    said.push("fails");
    throw new Error("No space.");
  });
  await expect.poll(() => said).toContain("first");
  const onWait = () => said.push("waits");
  const second = oneAtATime(file, { signal, onWait, pauseMs: 5 }, async () => {
    said.push("second");
  });
  await expect(first).rejects.toThrow("No space.");
  await second;
  expect(said).toEqual(["first", "waits", "fails", "second"]);
  expect(await readdir(join(path, "deep"))).toEqual([]);
});

test("takes over from a process that is gone", async () => {
  const file = join(await folder(), "build");
  await writeFile(file, `${spawnSync(process.execPath, ["--eval", ""]).pid}`);
  let hasActed = false;
  await oneAtATime(file, { signal, pauseMs: 5 }, async () => {
    hasActed = true;
  });
  expect(hasActed).toBe(true);
});

test("waits no longer once it is given up", async () => {
  const file = join(await folder(), "build");
  await writeFile(file, `${process.pid}`);
  const leaving = new AbortController();
  const onWait = () => leaving.abort();
  const act = () => Promise.reject(new Error("It acted."));
  await oneAtATime(file, { signal: leaving.signal, onWait, pauseMs: 5 }, act);
});
