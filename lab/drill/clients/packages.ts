import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { DrillOptions } from "@/lab/drill/drill";

const run = promisify(execFile);

/** Installs packages of npm, each with its version, into a folder. */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  { signal, say }: Pick<DrillOptions, "signal" | "say">,
): Promise<void> {
  const each = [...new Set(packages)];
  say(`Installing ${each.join(", ")}.`);
  const quiet = ["--no-audit", "--no-fund"];
  await run("npm", ["install", ...quiet, "--prefix", folder, ...each], { cwd: folder, signal });
}
