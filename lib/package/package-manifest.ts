export interface PackageManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface ManifestOptions {
  readonly entries: readonly string[];
  readonly imported: readonly string[];
}

export const packageName = "grove-session";

const peers = ["ai", "zod"];
const optionalPeers = [
  "postgres",
  "vitest",
  "fast-check",
  "@openai/agents",
  "@openai/agents-core",
  "@ai-sdk/anthropic",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
];
const bundledDependencies = ["@orama/stemmers", "drizzle-orm", "s3mini"];

/** @throws when a built file imports an unlisted package, because its user could not install it. */
export function packageManifest(
  root: PackageManifest,
  { entries, imported }: ManifestOptions,
): object {
  const versions: Readonly<Record<string, string>> = {
    ...root.devDependencies,
    ...root.dependencies,
  };
  const known = [...peers, ...optionalPeers, ...bundledDependencies];
  const unknown = imported.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`The package imports ${unknown.join(", ")}, which its manifest does not list.`);
  }
  const used = (names: readonly string[]) => names.filter((name) => imported.includes(name));
  const ranges = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `^${versionOf(versions, name)}`]));
  return {
    name: packageName,
    version: root.version,
    description: "Conversations as trees, memory as documents: sessions for agents.",
    license: root.license,
    type: "module",
    engines: { node: ">=20" },
    sideEffects: false,
    exports: Object.fromEntries([
      ...entries.map((name) => [
        name === "index" ? "." : `./${name}`,
        { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
      ]),
      ["./package.json", "./package.json"],
    ]),
    files: ["dist", "docs", "drizzle", "lib"],
    dependencies: ranges(used(bundledDependencies)),
    peerDependencies: ranges([...peers, ...used(optionalPeers)]),
    peerDependenciesMeta: Object.fromEntries(
      used(optionalPeers).map((name) => [name, { optional: true }]),
    ),
  };
}

function versionOf(versions: Readonly<Record<string, string>>, name: string): string {
  const version = versions[name];
  if (version === undefined) throw new Error(`package.json lists no version of ${name}.`);
  return version;
}
