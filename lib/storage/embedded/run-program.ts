import { type ChildProcess, spawn } from "node:child_process";
import { programPath } from "./binaries";
import type { Placement } from "./placement";

export interface ProgramRun {
  code: number | null;
  output: string;
}

export function spawnProgram(
  { account, binaries }: Placement,
  program: "postgres" | "initdb" | "pg_ctl",
  options: { args: string[]; output: "pipe" | number },
): ChildProcess {
  return spawn(programPath(binaries, program), options.args, {
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    // The account may not be able to enter the current folder.
    cwd: process.platform === "win32" ? binaries.native : "/",
    // Ctrl+C reaches the process group; the database must outlive its clients.
    detached: program === "postgres",
    env: { NODE_ENV: process.env.NODE_ENV, ...programEnvironment(process.env) },
    stdio: ["ignore", options.output, options.output],
    windowsHide: true,
  });
}

export function runProgram(
  placement: Placement,
  program: "initdb" | "pg_ctl",
  args: string[],
): Promise<ProgramRun> {
  const child = spawnProgram(placement, program, { args, output: "pipe" });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, output: output.trim() }));
  });
}

/** PG* variables name other servers. */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: "C" };
}
