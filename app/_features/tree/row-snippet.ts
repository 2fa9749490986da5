import type { SnippetWire } from "@/lib/chat/wire/search";

/** Characters before the first match. */
const leadLength = 12;

/** Shortens a snippet to start just before its first match, since a row has one line. */
export function rowSnippet({ text, marks }: SnippetWire): SnippetWire {
  const first = Math.max(0, (marks[0]?.[0] ?? 0) - leadLength);
  if (first === 0) return { text, marks };
  // At a word boundary.
  const space = text.indexOf(" ", first);
  const start = space !== -1 && space < (marks[0]?.[0] ?? 0) ? space + 1 : first;
  const shift = start - 1;
  return {
    text: `…${text.slice(start).toWellFormed()}`,
    marks: marks.map(([from, to]) => [from - shift, to - shift]),
  };
}
