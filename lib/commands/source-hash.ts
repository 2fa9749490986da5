import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const folders = ["app", "lib", "public"];
const files = [
  "next.config.ts",
  "postcss.config.mjs",
  "proxy.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/** One value for everything a build is made from; tests are not. */
export async function sourceHash(projectDir: string): Promise<string> {
  const listed = await Promise.all(folders.map((folder) => filesIn(projectDir, folder)));
  const hash = createHash("sha256");
  for (const path of [...files, ...listed.flat()].sort()) {
    const content = await readFile(join(projectDir, path)).catch(() => null);
    if (content) hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

async function filesIn(projectDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(projectDir, folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1));
}
