import type {
  LanguageModelV4Message,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { callTurns } from "./call-turns";
import { shortCallIds } from "./short-call-ids";
import { callsAsNotes, wordsOf } from "./told-calls";
import { withoutThoughts } from "./without-features";

/**
 * For servers that render a conversation with a template of the model's: one system message, then questions and answers in
 * turn, results right after their calls, and texts as one string. What such a template refuses once, it refuses with every
 * later message.
 */
export const strictTurns: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, prompt: inStrictTurns(params.prompt) }),
};

export function inStrictTurns(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const lastQuestion = prompt.findLastIndex(({ role }) => role === "user");
  const asked = new Set(callTurns(prompt).flat());
  // Only thoughts of the present turn and of turns with calls are asked for; servers with a strict form take none.
  const present = prompt
    .map((message, at) =>
      at < lastQuestion && !asked.has(at) ? withoutThoughts(message) : message,
    )
    .filter(saysSomething);
  const answered = callsAsNotes(present, (at) => endsInResults(present, at));
  return shortCallIds(joinNeighbours(answered.map(withResults)).map(withOneText));
}

/** A question follows the results, as after a stopped answer, with nothing or other such calls between. */
function endsInResults(prompt: LanguageModelV4Prompt, at: number): boolean {
  let next = at + 1;
  if (prompt[next]?.role !== "tool") return false;
  while (prompt[next]?.role === "tool") next++;
  const after = prompt[next];
  if (after?.role !== "assistant") return after?.role === "user";
  const saysNothing = after.content.every(
    (part) =>
      part.type === "reasoning" || (part.type === "tool-call" && part.providerExecuted !== true),
  );
  return saysNothing && endsInResults(prompt, next);
}

/** An answer of thoughts alone would part results from the question that follows them. */
function saysSomething({ role, content }: LanguageModelV4Message): boolean {
  if (role !== "assistant") return content.length > 0;
  return content.some(({ type }) => type !== "reasoning");
}

function joinNeighbours(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const joined: LanguageModelV4Message[] = [];
  for (const message of prompt) {
    const last = joined.at(-1);
    const both = last && joinedWith(last, message);
    if (both) joined[joined.length - 1] = both;
    else joined.push(message);
  }
  return joined;
}

/** `null` when they are no neighbours of one role. */
function joinedWith(
  last: LanguageModelV4Message,
  next: LanguageModelV4Message,
): LanguageModelV4Message | null {
  if (last.role === "system" && next.role === "system")
    return { ...last, content: `${last.content}\n\n${next.content}` };
  if (last.role === "user" && next.role === "user")
    return { ...last, content: [...last.content, ...next.content] };
  if (last.role === "tool" && next.role === "tool")
    return { ...last, content: [...last.content, ...next.content] };
  if (last.role !== "assistant" || next.role !== "assistant") return null;
  const gap = { type: "text", text: "\n\n" } as const;
  const isBetweenTexts =
    last.content.some(({ type }) => type === "text") && next.content[0]?.type === "text";
  return { ...last, content: [...last.content, ...(isBetweenTexts ? [gap] : []), ...next.content] };
}

/** Some servers read the content of a message as a string only. */
function withOneText(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "user" || message.content.length < 2) return message;
  const content: typeof message.content = [];
  for (const part of message.content) {
    const last = content.at(-1);
    if (last?.type === "text" && part.type === "text")
      content[content.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` };
    else content.push(part);
  }
  return { ...message, content };
}

function withResults(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && wordsOf(part.output).trim() === "" ? silent(part) : part,
  );
  return { ...message, content };
}

function silent(part: LanguageModelV4ToolResultPart): LanguageModelV4ToolResultPart {
  return { ...part, output: { type: "text", value: "(no output)" } };
}
