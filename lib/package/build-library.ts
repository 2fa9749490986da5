import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, glob, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build, type RolldownChunk } from "tsdown";
import { copyDocuments } from "./copy-documents";
import { type Manifest, packageManifest, packageName } from "./package-manifest";

const folder = "dist/library";
const adapters = "lib/adapters";

/**
 * Builds the library into one tarball, from the root of the project: the entries with their types, the migrations and
 * the README.
 *
 * @returns the path of the tarball and its size in bytes.
 * @throws when an entry has no source, or the built files import a package that the manifest does not list.
 */
export async function buildLibrary(): Promise<{ path: string; bytes: number; entries: string[] }> {
  const sources = await entrySources();
  const missing = Object.values(sources).filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`These entries have no source: ${missing.join(", ")}.`);
  await rm(folder, { recursive: true, force: true });
  const { bundles } = await build({
    entry: sources,
    outDir: join(folder, "dist"),
    tsconfig: "tsconfig.library.json",
    config: false,
    format: "esm",
    platform: "node",
    target: "node20",
    dts: true,
    deps: { neverBundle: true },
    fixedExtension: false,
    sourcemap: false,
    logLevel: "error",
    // Tables of the app alone, and modules that only define, are left out.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ["pgTable"] },
    inputOptions: { checks: { pluginTimings: false } },
    // The types keep the docstrings, and stack traces the names.
    outputOptions: { comments: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  const imported = packagesImportedBy(bundles.flatMap(({ chunks }) => chunks));
  const entries = Object.keys(sources);
  const root = JSON.parse(await readFile("package.json", "utf8")) as Manifest;
  const manifest = packageManifest(root, { entries, imported });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyAssets();
  return { ...(await pack(root.version)), entries };
}

/** Every adapter is an entry named after its folder. */
async function entrySources(): Promise<Record<string, string>> {
  const names = existsSync(adapters) ? await readdir(adapters) : [];
  return {
    index: "lib/session/index.ts",
    postgres: "lib/postgres/index.ts",
    skills: "lib/skills/index.ts",
    testing: "lib/session/testing/index.ts",
    ...(existsSync("lib/archives") && { archives: "lib/archives/index.ts" }),
    ...Object.fromEntries(names.sort().map((name) => [name, join(adapters, name, "index.ts")])),
  };
}

/** Packages that the code or the types of the built files import. */
function packagesImportedBy(files: readonly RolldownChunk[]): string[] {
  const own = new Set(files.map(({ fileName }) => fileName));
  const specifiers = files.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  const foreign = specifiers.filter((name) => !own.has(name) && !isBuiltin(name));
  return [...new Set(foreign.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))];
}

/** Migrations and functions keep their paths, so that `migrate` finds them as it does in the project. */
async function copyAssets(): Promise<void> {
  const sql = await Array.fromAsync(
    glob("lib/postgres/**/*.sql", { exclude: (name) => name === "testing" }),
  );
  const migrations = await Array.fromAsync(glob("drizzle/*.sql"));
  const files = [
    ...sql,
    ...migrations,
    "drizzle/meta/_journal.json",
    "drizzle/squashed.json",
    "LICENSE",
  ];
  for (const path of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(path, join(folder, path));
  }
  await copyDocuments(folder);
}

async function pack(version: string): Promise<{ path: string; bytes: number }> {
  await promisify(execFile)("npm", ["pack", "--pack-destination", ".."], {
    cwd: folder,
    shell: process.platform === "win32",
  });
  const path = `dist/${packageName}-${version}.tgz`;
  return { path, bytes: (await stat(path)).size };
}
