import { searchableText } from "grove-session/ports";
import type { ConversationMessage } from "./items";

export interface RequestForm {
  readonly messages: readonly ConversationMessage[];
  readonly instructions: readonly string[];
  readonly hasTools: boolean;
  readonly maxTokens: number | null | undefined;
}

const fewTokens = 500;
const lookedAt = 1_500;
const asking =
  "\\b(?:generate|write|create|provide|suggest|give|produce|return|come up with|draft)\\b";
const wanted = new RegExp(
  `${asking}(?:(?!\\b(?:about|on|of|in)\\b)[^.?!]){0,80}\\b(?:title|topic|headline|commit message|branch name)\\b`,
  "i",
);
const summary = new RegExp(
  `(?:${asking}[^.?!]{0,80}\\bsummary\\b|\\bsummari[sz]e\\b)[^.?!]{0,80}\\b(?:conversation|chat|session|thread|messages|diff)\\b`,
  "i",
);
const ofChat = /\b(?:conversation|chat|messages?|session|thread|diff|history|exchange|changes)\b/i;
const short =
  /\b(?:short|brief|concise|succinct|one[- ]line|single line|\d+(?:\s*[-–]\s*\d+)? (?:words?|characters|chars)|max(?:imum)? \d+)\b/i;

/** Recognizes requests beside a conversation, such as for its title, by their form. */
export function isSideRequest(form: RequestForm): boolean {
  const { messages, instructions, hasTools, maxTokens } = form;
  const said = messages.filter(({ role }) => role !== "system");
  // opencode sends the task and what it is about as two messages of one turn.
  if (hasTools || said.length === 0 || said.some(({ role }) => role !== "user")) return false;
  const text = said.map((message) => searchableText(message)).join("\n");
  // A program's task stands at either end of what it is about.
  const ends = [text.slice(0, lookedAt), text.slice(-lookedAt)].join("\n");
  const given = instructions.join("\n");
  const isShort =
    (maxTokens ?? Number.POSITIVE_INFINITY) <= fewTokens || short.test(`${given}\n${ends}`);
  const isTask = wanted.test(given) || (wanted.test(ends) && ofChat.test(ends));
  return isShort && (isTask || summary.test(given) || summary.test(ends));
}
