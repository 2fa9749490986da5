import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, glob, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build, type RolldownChunk } from "tsdown";
import { shippedSql } from "../postgres/migrate";
import { copyDocuments } from "./copy-documents";
import { entrySources } from "./entries";
import { type PackageManifest, packageManifest, packageName } from "./package-manifest";

const folder = "dist/library";

/** @throws when an entry has no source, or the built files import an unlisted package. */
export async function buildLibrary(): Promise<{ path: string; bytes: number; entries: string[] }> {
  const sources = entrySources;
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
    // Leaves out tables of the app alone, and modules that only define.
    treeshake: { moduleSideEffects: false, manualPureFunctions: ["pgTable"] },
    inputOptions: { checks: { pluginTimings: false } },
    // The types keep the docstrings, and stack traces the names.
    outputOptions: { comments: false },
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { toplevel: true, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
  });
  const imported = packagesImportedBy(bundles.flatMap(({ chunks }) => chunks));
  const entries = Object.keys(sources);
  const root = JSON.parse(await readFile("package.json", "utf8")) as PackageManifest;
  const manifest = packageManifest(root, { entries, imported });
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyAssets();
  return { ...(await pack(root.version)), entries };
}

function packagesImportedBy(files: readonly RolldownChunk[]): string[] {
  const own = new Set(files.map(({ fileName }) => fileName));
  const specifiers = files.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  const foreign = specifiers.filter((name) => !own.has(name) && !isBuiltin(name));
  return [...new Set(foreign.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))];
}

/** Migrations and functions keep their paths, so that `migrate` finds them. */
async function copyAssets(): Promise<void> {
  const sql = await Array.fromAsync(
    glob("lib/postgres/**/*.sql", { exclude: (name) => name === "testing" }),
  );
  const migrations = await Array.fromAsync(glob("drizzle/*.sql"));
  for (const path of sql) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), shippedSql(await readFile(path, "utf8")));
  }
  const files = [...migrations, "drizzle/meta/_journal.json", "drizzle/squashed.json", "LICENSE"];
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
