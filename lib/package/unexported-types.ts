type Declarations = ReadonlyMap<string, string>;

interface Module {
  readonly declared: ReadonlyMap<string, string>;
  readonly imported: ReadonlyMap<string, readonly [file: string, name: string]>;
  readonly exported: ReadonlyMap<string, string>;
}

/**
 * Types in the signatures of `entries` that a user cannot import from one of them, sorted. A type that another only
 * extends is not counted.
 */
export function unexportedTypes(texts: Declarations, entries: readonly string[]): string[] {
  const modules = new Map([...texts].map(([file, text]) => [file, moduleOf(text)]));
  const exported = new Set(
    entries.flatMap((file) =>
      [...(modules.get(file)?.exported.values() ?? [])].flatMap(
        (name) => placeOf(modules, file, name) ?? [],
      ),
    ),
  );
  const missing = new Set<string>();
  const met = new Set(exported);
  for (const place of met) {
    const [file = "", name = ""] = place.split("#");
    const text = modules.get(file)?.declared.get(name) ?? "";
    const bases = /^[\w ]*\b(?:interface|class) [^\n{]*\bextends\b([^\n{]*)/.exec(text)?.[1] ?? "";
    for (const [found] of text.matchAll(/(?<![\w.$])[A-Z]\w*/g)) {
      const named = placeOf(modules, file, found);
      if (named === null || named === place) continue;
      met.add(named);
      if (!exported.has(named) && !new RegExp(`\\b${found}\\b`).test(bases)) missing.add(found);
    }
  }
  return [...missing].sort();
}

function placeOf(modules: ReadonlyMap<string, Module>, file: string, name: string): string | null {
  const module = modules.get(file);
  if (module?.declared.has(name)) return `${file}#${name}`;
  const [from, outside] = module?.imported.get(name) ?? [];
  if (from === undefined || outside === undefined) return null;
  return placeOf(modules, from, modules.get(from)?.exported.get(outside) ?? outside);
}

function moduleOf(source: string): Module {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^.*\bprotected\b.*$/gm, "");
  const lists = /^(import|export) (?:type )?\{([^}]*)\}(?: from "\.\/([^"]+)\.js")?/gm;
  const imported = new Map<string, readonly [string, string]>();
  const exported = new Map<string, string>();
  for (const [, kind, names = "", from] of text.matchAll(lists)) {
    for (const [, one = "", other = one] of names.matchAll(
      /(?:type )?([\w$]+)(?: as ([\w$]+))?/g,
    )) {
      const here = kind === "import" ? other : one;
      if (from !== undefined) imported.set(here, [`${from}.d.ts`, one]);
      if (kind === "export") exported.set(other, one);
    }
  }
  const heads =
    /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|type|function|const) (\w+)|^export \{/gm;
  const starts = [...text.matchAll(heads)];
  const declared = new Map<string, string>();
  for (const [n, { index, 1: name }] of starts.entries()) {
    if (name === undefined) continue;
    const body = text.slice(index, starts[n + 1]?.index).replace(/"[^"\n]*"/g, "");
    declared.set(name, (declared.get(name) ?? "") + body);
  }
  return { declared, imported, exported };
}
