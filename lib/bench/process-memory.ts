import { readdir, readFile } from "node:fs/promises";

/** Megabytes a process and all its descendants hold, each page counted once. */
export interface Memory {
  app: number;
  launcher: number;
  postgres: number;
}

interface Process {
  pid: number;
  parent: number;
  name: string;
}

/** `null` where the system does not say, which is everywhere but on Linux. */
export async function memoryOf(pid: number): Promise<Memory | null> {
  if (process.platform !== "linux") return null;
  const memory: Memory = { app: 0, launcher: 0, postgres: 0 };
  for (const found of await withDescendants(pid)) {
    const part = found.pid === pid ? "launcher" : found.name === "postgres" ? "postgres" : "app";
    memory[part] += await proportionalMegabytes(found.pid);
  }
  return memory;
}

async function withDescendants(root: number): Promise<Process[]> {
  const all = await processes();
  const chosen = all.filter(({ pid }) => pid === root);
  // Grows while it is walked: children are found when their parent's turn comes.
  for (const { pid } of chosen) chosen.push(...all.filter(({ parent }) => parent === pid));
  return chosen;
}

async function processes(): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
  );
  return read.flatMap((line) => {
    const [, pid, name, parent] = /^(\d+) \((.*)\) \S (\d+)/.exec(line) ?? [];
    return pid && name ? [{ pid: Number(pid), parent: Number(parent), name }] : [];
  });
}

/** Resident memory, in which what several processes share is divided among them: Postgres shares its buffers. */
async function proportionalMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}
