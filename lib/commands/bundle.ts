import { join } from "node:path";
import { build } from "tsdown";

export const ownProcesses = {
  "lib/files": ["document-process"],
  "lib/server": ["import-process"],
};

export interface BundleOptions {
  readonly names: readonly string[];
  readonly outDir: string;
  readonly extension?: "js" | "mjs";
}

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
