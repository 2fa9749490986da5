import type { SnippetWire } from "@/lib/chat/wire/search";

/** Characters before the first word that was found. */
const leadLength = 12;

/** What a row shows of a snippet: a row has one line, so it begins shortly before the first word that was found. */
export function rowSnippet({ text, marks }: SnippetWire): SnippetWire {
  const first = Math.max(0, (marks[0]?.[0] ?? 0) - leadLength);
  if (first === 0) return { text, marks };
  // Not in the middle of a word.
  const space = text.indexOf(" ", first);
  const start = space !== -1 && space < (marks[0]?.[0] ?? 0) ? space + 1 : first;
  const shift = start - 1;
  return {
    text: `…${text.slice(start).toWellFormed()}`,
    marks: marks.map(([from, to]) => [from - shift, to - shift]),
  };
}
