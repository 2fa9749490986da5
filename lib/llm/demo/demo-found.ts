import { clip } from "@/lib/session";

const mostShown = 3;
const shownCharacters = 180;
const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** What a search gave, as sentences: a line for each hit, naming where it stands. */
export function foundWords(query: string, result: string): string {
  if (/^\s*(?:\[\s*\]|no results)/i.test(result)) {
    return `I searched for “${query}” and found nothing.`;
  }
  const hits = result.split(/\n\n(?=\[)/).map(hitLine);
  const lines = hits.filter((line) => line !== null).slice(0, mostShown);
  if (lines.length < Math.min(hits.length, mostShown)) {
    return `This is what I found for “${query}”:\n\n> ${clip(result, 400)}`;
  }
  const rest = hits.length - lines.length;
  const more =
    rest > 0 ? `\n\nThere ${rest === 1 ? "is one more place" : `are ${rest} more places`}.` : "";
  return `This is what I found for “${query}”:\n\n${lines.join("\n")}${more}`;
}

/** `[Title, 2026-01-31, user]` or `[title]`, and what was said there below it. */
function hitLine(hit: string): string | null {
  const [, head = "", text = ""] = /^\[([^\n]+)\]\n([\s\S]+)$/.exec(hit.trim()) ?? [];
  if (text === "") return null;
  const [, title = head, date, who] = /^(.+), (\d{4}-\d{2}-\d{2}), (\w+)$/.exec(head) ?? [];
  const from = date === undefined ? "" : `, ${speaker(who)} ${day.format(new Date(date))}`;
  return `- **${title}**${from}: ${clip(text, shownCharacters)}`;
}

function speaker(who: string | undefined): string {
  if (who === "user") return "you on";
  return who === "summary" ? "a summary of" : "an answer of";
}
