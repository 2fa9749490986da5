import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundledLanguages } from "shiki/langs";
import { version } from "shiki/package.json";

/**
 * Writes Shiki's grammars as files that the page fetches, and `names.json`: for each name of a language the grammars it
 * needs, its own last. Compiled as code, with copies of those that many embed, they took a third of a build.
 *
 * @param built `.next/static`
 */
export async function writeGrammars(built: string): Promise<void> {
  const folder = join(built, `grammars-${version}`);
  await mkdir(folder, { recursive: true });
  const grammars = new Map<string, object>();
  const needed: Record<string, string[]> = {};
  for (const [name, load] of Object.entries(bundledLanguages)) {
    const { default: registrations } = await load();
    for (const grammar of registrations) grammars.set(grammar.name, grammar);
    const own = registrations.at(-1)?.name ?? name;
    const embedded = new Set(registrations.map((grammar) => grammar.name));
    embedded.delete(own);
    needed[name] = [...embedded, own];
  }
  for (const [name, grammar] of grammars)
    await writeFile(join(folder, `${name}.json`), JSON.stringify(grammar));
  await writeFile(join(folder, "names.json"), JSON.stringify(needed));
}
