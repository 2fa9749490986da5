import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Chromium compiles such a script in the background while it arrives. */
export const hint = "//# allFunctionsCalledOnLoad\n";

/** Most functions of larger libraries are never called. */
const largestBytes = 300_000;

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
