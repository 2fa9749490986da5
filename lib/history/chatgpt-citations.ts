import { z } from "zod";
import { list, text } from "./fields";

export const webSource = z.object({ title: text, url: text });

export const contentReference = z.object({
  matched_text: text,
  alt: text,
  title: text,
  url: text,
  name: text,
  items: list(webSource),
  sources: list(webSource),
});

type Reference = z.output<typeof contentReference>;

/** Marks of private use, such as `\uE200cite\uE202turn0search1\uE201`. */
const mark = /\uE200[^\uE200\uE201]{0,2000}\uE201/g;
const strayMark = /[\uE200-\uE206]/g;

export function withLinks(words: string, references: readonly Reference[]): string {
  if (!/[\uE200-\uE206]/.test(words)) return words;
  const known = references.filter(({ matched_text: matched }) => matched.trim() !== "");
  const linked = known.reduce(
    (shown, reference) => shown.replaceAll(reference.matched_text, () => linksOf(reference)),
    words,
  );
  return linked.replace(mark, wordsOfMark).replace(strayMark, "");
}

function linksOf({
  items,
  sources,
  url,
  title,
  name,
  alt,
  matched_text: matched,
}: Reference): string {
  const links = sourceLinks([...items, ...sources, { url, title }]);
  if (links !== "") return links;
  if (alt !== "") return alt;
  return name || matched.replace(mark, wordsOfMark);
}

export function sourceLinks(sources: readonly z.output<typeof webSource>[]): string {
  const web = sources.filter(({ url }) => isWeb(url));
  const links = [...new Map(web.map((each) => [each.url, each])).values()].map(
    ({ url, title }) => `[${escaped(title || new URL(url).hostname)}](${address(url)})`,
  );
  return links.length === 0 ? "" : ` (${links.join(", ")})`;
}

function wordsOfMark(all: string): string {
  const [kind = "", value = ""] = all.slice(1, -1).split("\uE202");
  if (kind !== "entity") return "";
  const [, name = ""] = /^\["[^"]*","([^"]*)"/.exec(value) ?? [];
  return name;
}

function isWeb(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

function escaped(words: string): string {
  return words.replace(/\s+/g, " ").replace(/[\\[\]]/g, "\\$&");
}

function address(url: string): string {
  return url.replace(/[()\s<>]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
}
