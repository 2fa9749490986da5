import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Chromium compiles a script that begins with it while it arrives, apart from the page. Others ignore it. */
export const hint = "//# allFunctionsCalledOnLoad\n";

/** Of larger libraries, most functions are never called. */
const largestBytes = 300_000;

/** Without it, each module of the page's scripts is compiled on the page's own thread when it is first needed. */
export async function hintCompilation(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const scripts = names.filter((name) => name.endsWith(".js")).map((name) => join(folder, name));
  for (const path of scripts) {
    const script = await readFile(path);
    if (script.length > largestBytes || script.subarray(0, hint.length).equals(hintBytes)) continue;
    await writeFile(path, Buffer.concat([hintBytes, script]));
  }
}

const hintBytes = Buffer.from(hint);
