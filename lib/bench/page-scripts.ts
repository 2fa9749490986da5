import { gzipSync } from "node:zlib";

/** What all scripts that a page names may weigh together, gzipped. */
export const scriptBudgetBytes = 300 * 1024;

export interface PageScripts {
  path: string;
  files: number;
  gzippedBytes: number;
}

/** Loads a page and weighs every script its HTML names, except those for browsers without modules. */
export async function pageScripts(address: string, path: string): Promise<PageScripts> {
  const html = await (await fetch(`${address}${path}`)).text();
  const sources = scriptSources(html);
  if (sources.length === 0) throw new Error(`The page ${path} names no script.`);
  const sizes = await Promise.all(
    sources.map(async (source) => {
      const response = await fetch(new URL(source, address));
      if (!response.ok) throw new Error(`${source} answers with ${response.status}.`);
      return gzipSync(await response.bytes()).length;
    }),
  );
  const gzippedBytes = sizes.reduce((sum, size) => sum + size, 0);
  return { path, files: sources.length, gzippedBytes };
}

/** The addresses of a page's scripts, each once. */
export function scriptSources(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*>/gi) ?? [];
  const named = tags.flatMap((tag) => {
    if (/\bnomodule\b/i.test(tag)) return [];
    const isScript = /^<script/i.test(tag);
    if (!isScript && !/\bas="script"|\brel="modulepreload"/i.test(tag)) return [];
    const source = (isScript ? /\bsrc="([^"]+)"/i : /\bhref="([^"]+)"/i).exec(tag)?.[1];
    return source === undefined ? [] : [source.replaceAll("&amp;", "&")];
  });
  return [...new Set(named)];
}
