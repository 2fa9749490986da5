import tsconfig from "@/tsconfig.json" with { type: "json" };

const packageName = "grove-session";

export const entrySources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(tsconfig.compilerOptions.paths)
    .filter(([name]) => name.startsWith(packageName))
    .map(([name, [source = ""]]) => [
      name.slice(packageName.length + 1) || "index",
      source.replace(/^\.\//, ""),
    ]),
);
