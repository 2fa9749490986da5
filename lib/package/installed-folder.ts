import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { PackageManifest } from "./package-manifest";

const run = promisify(execFile);

export async function installedFolder(tarball: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "grove-library-"));
  const { dependencies, devDependencies } = JSON.parse(
    await readFile("package.json", "utf8"),
  ) as PackageManifest;
  const versions = { ...devDependencies, ...dependencies };
  const { peerDependencies } = JSON.parse(await readFile("dist/library/package.json", "utf8")) as {
    peerDependencies: Readonly<Record<string, string>>;
  };
  const beside = [...Object.keys(peerDependencies), "typescript", "@types/node"];
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({
      name: "user-of-the-library",
      private: true,
      type: "module",
      dependencies: {
        "grove-session": `file:${resolve(tarball)}`,
        ...Object.fromEntries(beside.map((name) => [name, versions[name]])),
      },
    }),
  );
  await npmInstall(folder);
  return folder;
}

export async function nodeVersions(majors: readonly number[]): Promise<Map<number, string>> {
  const folder = resolve("node_modules/.cache/node-versions");
  const platform = process.platform === "win32" ? "win" : process.platform;
  const binary = platform === "win" ? "bin/node.exe" : "bin/node";
  const paths = new Map(
    majors.map((major) => [major, join(folder, `node_modules/node-${major}`, binary)]),
  );
  if ([...paths.values()].every((path) => existsSync(path))) return paths;
  await mkdir(folder, { recursive: true });
  const dependencies = Object.fromEntries(
    majors.map((major) => [`node-${major}`, `npm:node-${platform}-${process.arch}@${major}`]),
  );
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await npmInstall(folder);
  return paths;
}

async function npmInstall(folder: string): Promise<void> {
  const options = { cwd: folder, shell: process.platform === "win32" };
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-bin-links"], options);
}
