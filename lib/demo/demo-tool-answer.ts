import { clip } from "@/lib/session";
import type { DemoCall, DemoOutcome } from "./demo-call";
import { foundWords } from "./demo-found";
import { type DemoIntent, intentsOf } from "./demo-intents";
import { chosen } from "./hash";

/** The answer that follows tool calls: a sentence about each, made of what came back. */
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
  const { toolName, text, failed } = outcome;
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

/** What became of something to be kept, in the words it was asked for. */
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
  return `I loaded **${key}**, ${words} words. It begins:\n\n> ${clip(outcome.text, 240)}`;
}

function said({ input }: DemoOutcome, argument: string): string {
  const value = input[argument];
  return typeof value === "string" ? value : argument;
}
