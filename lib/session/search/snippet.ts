import { matchedTokens } from "./match";
import { plainMarkdown } from "./plain-markdown";
import type { SearchQuery } from "./query";
import type { Snippet } from "./search-types";
import { tokenize } from "./tokenize";
import { maxSearchableLength } from "./tsvector";

type Range = readonly [start: number, end: number];

const ellipsis = "…";
const leadChars = 40;

/** The part with the most query words, on one line without Markdown; without a match, the beginning. */
export function snippet(content: string, query: SearchQuery, { maxChars = 200 } = {}): Snippet {
  const { text, marks: ranges } = marked(plainMarkdown(content), query);
  const [start, end] = stretch(text, ranges, maxChars);
  const lead = start > 0 ? ellipsis : "";
  const shown = text.slice(start, end).replace(/\s/g, " ");
  const marks = ranges
    .filter(([from]) => from >= start && from < end)
    // A word can be longer than the snippet.
    .map(([from, to]) => [from, Math.min(to, end)] as const)
    .map(([from, to]) => [from - start + lead.length, to - start + lead.length] as const);
  return { text: lead + shown + (end < text.length ? ellipsis : ""), marks };
}

/** The text of a snippet for a model; an excerpt says how long the whole is. */
export function excerptText({ text }: Snippet, content: string): string {
  const whole = plainMarkdown(content).length;
  const shown = text.replaceAll(/^…|…$/g, "").length;
  if (shown >= whole) return text;
  return `${text} [excerpt: ${shown.toLocaleString("en")} of ${whole.toLocaleString("en")} characters]`;
}

export function marked(text: string, query: SearchQuery): Snippet {
  const tokens = tokenize(text.slice(0, maxSearchableLength));
  return {
    text,
    marks: merged(matchedTokens(query, tokens).map(({ start, end }) => [start, end])),
  };
}

/** Overlapping pairs of an unspaced script become one mark. */
function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges) {
    const last = result.at(-1);
    if (last && start < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

function stretch(text: string, ranges: readonly Range[], maxChars: number): Range {
  if (text.length <= maxChars) return [0, text.length];
  const first = densest(ranges, maxChars);
  const wanted = Math.max(0, Math.min(first - leadChars, text.length - maxChars));
  const start = wordStart(text, wanted, first);
  return [start, wholeCharacter(text, Math.min(text.length, start + maxChars))];
}

/** The earliest among equals. */
function densest(ranges: readonly Range[], maxChars: number): number {
  let best = { start: 0, count: 0 };
  let from = 0;
  for (const [index, [, end]] of ranges.entries()) {
    while (end - (ranges[from]?.[0] ?? end) > maxChars - leadChars && from < index) from++;
    const count = index - from + 1;
    if (count > best.count) best = { start: ranges[from]?.[0] ?? 0, count };
  }
  return best.start;
}

/** A snippet must not begin inside a word. */
function wordStart(text: string, wanted: number, latest: number): number {
  if (wanted === 0) return 0;
  const space = text.slice(wanted, latest).search(/\s/);
  return wholeCharacter(text, space === -1 ? wanted : wanted + space + 1);
}

/** Never splits a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}
