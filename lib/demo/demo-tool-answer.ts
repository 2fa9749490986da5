import { clip } from "@/lib/text/clip";
import { chosen, type DemoCall, type DemoOutcome } from "./demo-call";
import { type DemoIntent, intentsOf } from "./demo-intents";

export function toolAnswer({ outcomes, question, seed }: DemoCall): string {
  const intents = intentsOf(question);
  const sentences = outcomes.map((outcome) => sentenceFor(outcome, intents)).join("\n\n");
  return `${sentences}\n\n${chosen(closings, seed)}`;
}

const closings = [
  "Is there anything else you would like to try?",
  "What shall we do next?",
  "Ask me something about it, or try another tool.",
] as const;

function sentenceFor(outcome: DemoOutcome, intents: readonly DemoIntent[]): string {
  const { toolName, text, failed, denied } = outcome;
  if (denied) {
    const [, reason] = /Reason: (.*)$/s.exec(text) ?? [];
    return reason ? `All right, I left that: ${clip(reason, 300)}` : "All right, I left that.";
  }
  if (failed) return `I called \`${toolName}\`, but it did not work: ${clip(text, 300)}`;
  switch (toolName) {
    case "set_context":
      return written(outcome, intents);
    case "load_context":
      return loaded(outcome);
    case "unload_context":
      return `It is out of my context again. ${clip(text, 200)}`;
    case "session_search":
    case "search_context":
      return foundWords(said(outcome, "query"), text);
    default:
      return `\`${toolName}\` answered: ${clip(text, 300)}`;
  }
}

function written(outcome: DemoOutcome, intents: readonly DemoIntent[]): string {
  const kind = said(outcome, "label") === "todos" ? "todo" : "remember";
  const intent = intents.find((each) => each.kind === kind);
  if (/^proposed/i.test(outcome.text))
    return `I would like to ${wish(intent)}. Nothing is written until you accept it, here or in the memory drawer.`;
  if (/^already/i.test(outcome.text)) return "I know that already, so I wrote nothing.";
  if (intent?.kind === "remember") return `I will remember that ${intent.toThem}.`;
  return intent?.kind === "todo"
    ? `“${intent.item}” is on your list now.`
    : "I have written that down.";
}

function wish(intent: DemoIntent | undefined): string {
  if (intent?.kind === "remember") return `remember that ${intent.toThem}`;
  return intent?.kind === "todo" ? `put “${intent.item}” on your list` : "write that down";
}

function loaded(outcome: DemoOutcome): string {
  const key = said(outcome, "key");
  if (/^not found/i.test(outcome.text))
    return `There is no skill called **${key}**. ${clip(outcome.text, 200)}`;
  const words = outcome.text.split(/\s+/).length;
  // A heading joined into one line would take in the text below it.
  const beginning = clip(outcome.text.replace(/^#+ +(.+)$/gm, "**$1**"), 240);
  return `I loaded **${key}**, ${words} words. It begins:\n\n> ${beginning}`;
}

function said({ input }: DemoOutcome, argument: string): string {
  const value = input[argument];
  return typeof value === "string" ? value : argument;
}

const mostShown = 3;
const shownCharacters = 180;
const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

type Hit = { readonly title: string; readonly from: string; readonly text: string };

export function foundWords(query: string, result: string): string {
  if (/^\s*(?:\[\s*\]|no results)/i.test(result)) {
    return `I searched for “${query}” and found nothing.`;
  }
  const hits = result.split(/\n\n(?=\[)/).map(readHit);
  if (hits.includes(null)) {
    return `This is what I found for “${query}”:\n\n> ${clip(result, 400)}`;
  }
  const places = bestOfEach(hits.filter((hit) => hit !== null));
  const lines = places.slice(0, mostShown).map(lineOf).join("\n");
  return `This is what I found for “${query}”:\n\n${lines}${restOf(places.length - mostShown)}`;
}

function readHit(hit: string): Hit | null {
  const [, head = "", text = ""] = /^\[([^\n]+)\]\n([\s\S]+)$/.exec(hit.trim()) ?? [];
  if (text === "") return null;
  const [, title = head, date, who] = /^(.+), (\d{4}-\d{2}-\d{2}), (\w+)$/.exec(head) ?? [];
  const from = date === undefined ? "" : `, ${speaker(who)} ${day.format(new Date(date))}`;
  return { title, from, text };
}

function bestOfEach(hits: readonly Hit[]): Hit[] {
  return [...Map.groupBy(hits, ({ title }) => title).values()].flatMap(([best]) => best ?? []);
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
