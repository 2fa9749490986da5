import { join } from "node:path";
import { build } from "tsdown";

/** Programs that the app runs in a process of their own, by their folder. */
export const ownProcesses = {
  "lib/files": ["document-process"],
  "lib/server": ["import-process"],
};

export interface BundleOptions {
  readonly names: readonly string[];
  readonly outDir: string;
  /** Of the files. Default `js`, for a folder whose package is a module. */
  readonly extension?: "js" | "mjs";
}

/** With all packages they need. The programs of one folder share chunks in it. */
export async function bundle(
  place: string,
  { names, outDir, extension = "js" }: BundleOptions,
): Promise<void> {
  await build({
    entry: Object.fromEntries(names.map((name) => [name, join(place, `${name}.ts`)])),
    outDir,
    config: false,
    clean: false,
    format: "esm",
    platform: "node",
    target: "node22",
    dts: false,
    deps: { alwaysBundle: [/.*/] },
    fixedExtension: extension === "mjs",
    sourcemap: false,
    logLevel: "error",
    inputOptions: { checks: { pluginTimings: false } },
  });
}
