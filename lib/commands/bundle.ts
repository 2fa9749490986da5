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
  /** Default `js`. */
  readonly extension?: "js" | "mjs";
}

/** With all packages they need. */
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
