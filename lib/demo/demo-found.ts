import { clip } from "@/lib/session";

const mostShown = 3;
const shownCharacters = 180;
const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

type Hit = { readonly title: string; readonly from: string; readonly text: string };

/** What a search gave, as sentences: the best hit of each place, saying who said it and when. */
export function foundWords(query: string, result: string): string {
  if (/^\s*(?:\[\s*\]|no results)/i.test(result)) {
    return `I searched for “${query}” and found nothing.`;
  }
  const hits = result.split(/\n\n(?=\[)/).map(readHit);
  if (hits.includes(null)) {
    return `This is what I found for “${query}”:\n\n> ${clip(result, 400)}`;
  }
  const places = bestOfEach(hits.filter((hit) => hit !== null));
  if (places.length === 0) return `Only earlier searches speak of “${query}”.`;
  const lines = places.slice(0, mostShown).map(lineOf).join("\n");
  return `This is what I found for “${query}”:\n\n${lines}${restOf(places.length - mostShown)}`;
}

/** `[Title, 2026-01-31, user]` or `[title]`, and what was said there below it. */
function readHit(hit: string): Hit | null {
  const [, head = "", text = ""] = /^\[([^\n]+)\]\n([\s\S]+)$/.exec(hit.trim()) ?? [];
  if (text === "") return null;
  const [, title = head, date, who] = /^(.+), (\d{4}-\d{2}-\d{2}), (\w+)$/.exec(head) ?? [];
  const from = date === undefined ? "" : `, ${speaker(who)} ${day.format(new Date(date))}`;
  return { title, from, text };
}

function bestOfEach(hits: readonly Hit[]): Hit[] {
  // What an earlier search found stands where it was said; its answer only repeats it.
  const fresh = hits.filter(({ text }) => !/^(?:session_search|search_context)\b/.test(text));
  return [...Map.groupBy(fresh, ({ title }) => title).values()].flatMap(([best]) => best ?? []);
}

function lineOf({ title, from, text }: Hit): string {
  return `- **${title}**${from}: ${clip(text, shownCharacters)}`;
}

function restOf(count: number): string {
  if (count <= 0) return "";
  return `\n\n${count === 1 ? "There is one more place" : `There are ${count} more places`}.`;
}

function speaker(who: string | undefined): string {
  if (who === "user") return "you on";
  return who === "summary" ? "a summary of" : "an answer of";
}
