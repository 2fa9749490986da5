import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Is process `pid` a Postgres server on `folder`, rather than gone or a stranger that got its number? */
export async function isServerOf(pid: number, folder: string): Promise<boolean> {
  if (!(await isPostgres(pid))) return false;
  if (process.platform !== "linux") return true;
  // A server's current folder is its data folder. Where we may not look, its name must do.
  const current = await readlink(`/proc/${pid}/cwd`).catch(() => folder);
  return current === folder;
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    return /(^|\/)postgres/.test(await commandOf(pid));
  } catch {
    return false;
  }
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/comm`, "utf8");
  if (process.platform === "win32") {
    return (await run("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"])).stdout.replace(
      '"',
      "/",
    );
  }
  return (await run("ps", ["-o", "comm=", "-p", String(pid)])).stdout.trim();
}
