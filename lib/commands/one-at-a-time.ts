import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface OneAtATimeOptions {
  readonly signal: AbortSignal;
  readonly onWait?: () => void;
  readonly pauseMs?: number;
}

/** Acts while no other live process of this machine does so under `file`. */
export async function oneAtATime(
  file: string,
  { signal, onWait, pauseMs = 500 }: OneAtATimeOptions,
  act: () => Promise<void>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  let hasWaited = false;
  while (!(await isTaken(file, pauseMs))) {
    if (signal.aborted) return;
    if (!hasWaited) onWait?.();
    hasWaited = true;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  try {
    await act();
  } finally {
    await rm(file, { force: true });
  }
}

async function isTaken(file: string, pauseMs: number): Promise<boolean> {
  const own = `${process.pid}`;
  try {
    await writeFile(file, own, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!(await isLeft(file))) return false;
    await rm(file, { force: true });
    return isTaken(file, pauseMs);
  }
  // Two that remove what a dead process left may both have written.
  await delay(Math.min(pauseMs, 50));
  return (await readFile(file, "utf8").catch(() => "")) === own;
}

/** A process that was just begun has not written its id yet. */
async function isLeft(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
