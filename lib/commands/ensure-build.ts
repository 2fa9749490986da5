import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { hintCompilation } from "./compile-hints";
import { compressStatic } from "./compress-static";
import { startNext } from "./next-process";
import { oneAtATime } from "./one-at-a-time";
import { type Environment, StartError } from "./start-settings";
import { StartSteps } from "./start-steps";
import { writeGrammars } from "./write-grammars";

export interface BuildOptions {
  projectDir: string;
  environment: Environment;
  signal: AbortSignal;
  say: (line: string) => void;
  steps?: StartSteps;
}

export async function ensureBuild(options: BuildOptions): Promise<void> {
  const { projectDir, signal, say, steps = new StartSteps(say) } = options;
  const stamp = join(projectDir, ".next", "grove-source-hash");
  const source = await sourceHash(projectDir);
  const isBuilt = async () => (await readFile(stamp, "utf8").catch(() => null)) === source;
  if (signal.aborted || (await isBuilt())) return;

  const onWait = () => steps.say("Another process builds Grove in this folder; waiting for it.");
  // A second process of this folder may start at the same moment.
  const file = join(projectDir, "node_modules", ".cache", "grove", "building");
  await oneAtATime(file, { signal, onWait }, async () => {
    if (await isBuilt()) return;
    steps.say(
      "Grove is built once for this version. It takes a minute or two; later starts do not.",
    );
    const step = { doing: "Building", done: "Built" };
    await steps.take(step, (note) => buildAgain(options, { stamp, source, note }));
  });
}

interface BuildPlace {
  stamp: string;
  source: string;
  note: (part: string) => void;
}

async function buildAgain(
  options: BuildOptions,
  { stamp, source, note }: BuildPlace,
): Promise<void> {
  const { projectDir, signal } = options;
  // The stamp is absent while building, so that an interrupted build does not count.
  await rm(stamp, { force: true });
  // Versions whose builds kept this cache left half a gigabyte.
  await rm(join(projectDir, ".next", "cache"), { recursive: true, force: true });
  const succeeded = await build(options, note);
  if (signal.aborted) return;
  if (!succeeded) throw new StartError("Grove could not be built; the reason is printed above.");
  const built = join(projectDir, ".next", "static");
  await hintCompilation(join(built, "chunks"));
  await writeGrammars(built);
  note("compressing scripts");
  await compressStatic(built);
  note("bundling programs");
  await bundleProcesses(options);
  if (!signal.aborted) await writeFile(stamp, source);
}

/** Runs in a process that gives its memory back. */
async function bundleProcesses({ projectDir, signal }: BuildOptions): Promise<void> {
  const script = fileURLToPath(new URL("bundle-processes.ts", import.meta.url));
  const args = ["--import", "tsx", script];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: projectDir, signal });
  } catch (error) {
    if (signal.aborted) return;
    const message = `Grove's programs could not be bundled. ${(error as Error).message}`;
    throw new StartError(message, { cause: error });
  }
}

const graceMs = 5_000;

const parts: readonly (readonly [RegExp, string])[] = [
  [/Creating an optimized/, "compiling"],
  [/Running TypeScript|types/i, "checking types"],
  [/Collecting page data/, "collecting pages"],
  [/Generating static/, "rendering pages"],
  [/Finalizing/, "finishing"],
];

async function build(
  { projectDir, environment, signal }: BuildOptions,
  note: (part: string) => void,
): Promise<boolean> {
  if (signal.aborted) return false;
  let said = "";
  const next = startNext({
    projectDir,
    args: ["build"],
    env: { ...environment, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    output: (chunk) => {
      said += chunk;
      const part = parts.findLast(([line]) => line.test(chunk));
      if (part) note(part[1]);
    },
    graceMs,
  });
  const giveUp = () => void next.stop();
  signal.addEventListener("abort", giveUp, { once: true });
  const { code } = await next.ended;
  signal.removeEventListener("abort", giveUp);
  if (code !== 0 && !signal.aborted) process.stderr.write(said);
  return code === 0;
}

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

const apart =
  /^lib[\\/](bench|commands|drill|package|packed)[\\/]|[\\/]testing[\\/]|\.(test|spec)\.tsx?$/;

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
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectDir.length + 1))
    .filter((path) => !apart.test(path));
}
