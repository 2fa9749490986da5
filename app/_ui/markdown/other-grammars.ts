import { version } from "shiki/package.json";
import type { DynamicImportLanguageRegistration, LanguageRegistration } from "shiki/types";

/** The grammars that a language needs, its own last; none for an unknown one. A build has them as files. */
export async function grammarsNamed(language: string): Promise<readonly LanguageRegistration[]> {
  if (process.env.NODE_ENV !== "production") {
    const { bundledLanguages } = await import("shiki/langs");
    const known: Readonly<Record<string, DynamicImportLanguageRegistration>> = bundledLanguages;
    return Object.hasOwn(known, language) ? ((await known[language]?.())?.default ?? []) : [];
  }
  const needed = await fetched<Readonly<Record<string, readonly string[]>>>("names");
  const names = Object.hasOwn(needed, language) ? (needed[language] ?? []) : [];
  return Promise.all(names.map((name) => fetched<LanguageRegistration>(name)));
}

const files = new Map<string, Promise<unknown>>();

/** A file that could not be fetched is asked for again. */
function fetched<Content>(name: string): Promise<Content> {
  const reading = files.get(name) ?? fetchFile(name);
  files.set(name, reading);
  reading.catch(() => files.delete(name));
  return reading as Promise<Content>;
}

async function fetchFile(name: string): Promise<unknown> {
  const response = await fetch(`/_next/static/grammars-${version}/${name}.json`);
  if (!response.ok) throw new Error(`The grammar ${name} answers ${response.status}.`);
  return response.json();
}
