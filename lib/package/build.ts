import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildLibrary } from "./build-library";

const imports = 9;

const { path, bytes, entries } = await buildLibrary();
console.info(`${path}: ${Math.round(bytes / 1_000)} kB; entries ${entries.join(", ")}`);
console.info(
  `Importing it takes ${await medianImportMs()} ms, the median of ${imports} processes.`,
);

async function medianImportMs(): Promise<number> {
  const url = pathToFileURL(resolve("dist/library/dist/index.js")).href;
  const program = `const start = performance.now(); await import("${url}"); console.log(performance.now() - start)`;
  const times: number[] = [];
  for (let count = 0; count < imports; count++) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      program,
    ]);
    times.push(Number(stdout));
  }
  return Math.round(times.sort((one, other) => one - other)[Math.floor(imports / 2)] ?? 0);
}
