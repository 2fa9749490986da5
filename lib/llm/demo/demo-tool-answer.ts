import { clip } from "@/lib/session";
import type { DemoCall, DemoOutcome } from "./demo-call";
import { chosen } from "./hash";

/** The answer that follows tool calls: a sentence about each, made of what came back. */
export function toolAnswer({ outcomes, seed }: DemoCall): string {
  const sentences = outcomes.map(sentenceFor).join("\n\n");
  return `${sentences}\n\n${chosen(closings, seed)}`;
}

const closings = [
  "Is there anything else you would like to try?",
  "What shall we do next?",
  "Ask me something about it, or try another tool.",
] as const;

function sentenceFor(outcome: DemoOutcome): string {
  const { toolName, text, failed } = outcome;
  if (failed) return `I called \`${toolName}\`, but it did not work: ${clip(text, 300)}`;
  switch (toolName) {
    case "set_context":
      if (/^proposed/i.test(outcome.text))
        return `I proposed that for **${said(outcome, "label")}**. You can accept, change or decline it here and in the memory drawer.`;
      if (/^already/i.test(outcome.text))
        return `That is in **${said(outcome, "label")}** already, so I wrote nothing.`;
      return `I wrote that to **${said(outcome, "label")}**. ${clip(text, 200)} You can read, change or undo it in the memory drawer.`;
    case "load_context":
      return loaded(outcome);
    case "unload_context":
      return `It is out of my context again. ${clip(text, 200)}`;
    case "session_search":
    case "search_context":
      return found(outcome);
    default:
      return `\`${toolName}\` answered: ${clip(text, 300)}`;
  }
}

function loaded(outcome: DemoOutcome): string {
  const key = said(outcome, "key");
  if (/^not found/i.test(outcome.text))
    return `There is no skill called **${key}**. ${clip(outcome.text, 200)}`;
  const words = outcome.text.split(/\s+/).length;
  return `I loaded **${key}**, ${words} words. It begins:\n\n> ${clip(outcome.text, 240)}`;
}

function found(outcome: DemoOutcome): string {
  const query = said(outcome, "query");
  if (/^\s*(?:\[\s*\]|no results)/i.test(outcome.text))
    return `I searched for “${query}” and found nothing.`;
  return `This is what I found for “${query}”:\n\n> ${clip(outcome.text, 400)}`;
}

function said({ input }: DemoOutcome, argument: string): string {
  const value = input[argument];
  return typeof value === "string" ? value : argument;
}
