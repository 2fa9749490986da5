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

export type AnswerPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/**
 * Servers that render a model's template take one system message, then questions and answers in turn, results right
 * after their calls, and texts as one string.
 */
export const strictTurns: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, prompt: inStrictTurns(params.prompt) }),
};

export function inStrictTurns(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const present = withoutPastThoughts(prompt).filter(saysSomething);
  if (!present.some(usesTools)) return joinNeighbours(present).map(withOneText);
  const unanswered = unansweredCalls(present);
  const answered = callsAsNotes(present, (at) => unanswered.has(at));
  return shortCallIds(joinNeighbours(answered.map(withResults)).map(withOneText));
}

/** Servers with a strict form take no thoughts; others want those of this turn and of turns with calls. */
function withoutPastThoughts(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const lastQuestion = prompt.findLastIndex(({ role }) => role === "user");
  const hasThoughts = prompt.some((message, at) => at < lastQuestion && thinks(message));
  if (!hasThoughts) return prompt;
  const asked = new Set(callTurns(prompt).flat());
  return prompt.map((message, at) =>
    at < lastQuestion && !asked.has(at) ? withoutThoughts(message) : message,
  );
}

function thinks({ role, content }: LanguageModelV4Message): boolean {
  return role === "assistant" && content.some(({ type }) => type === "reasoning");
}

function usesTools({ role, content }: LanguageModelV4Message): boolean {
  if (role !== "assistant") return role === "tool";
  return content.some(({ type }) => type === "tool-call");
}

function unansweredCalls(prompt: LanguageModelV4Prompt): ReadonlySet<number> {
  const unanswered = new Set<number>();
  let leadsToQuestion = false;
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at];
    if (message?.role === "tool") continue;
    if (message?.role !== "assistant") {
      leadsToQuestion = message?.role === "user";
      continue;
    }
    const isUnanswered: boolean = leadsToQuestion && prompt[at + 1]?.role === "tool";
    if (isUnanswered) unanswered.add(at);
    leadsToQuestion = isUnanswered && message.content.every(saysNothing);
  }
  return unanswered;
}

function saysNothing(part: AnswerPart): boolean {
  return part.type === "reasoning" || (part.type === "tool-call" && part.providerExecuted !== true);
}

/** An answer of thoughts alone would part results from the question that follows them. */
function saysSomething({ role, content }: LanguageModelV4Message): boolean {
  if (role !== "assistant") return content.length > 0;
  return content.some(({ type }) => type !== "reasoning");
}

function joinNeighbours(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const runs: [LanguageModelV4Message, ...LanguageModelV4Message[]][] = [];
  for (const message of prompt) {
    const run = runs.at(-1);
    if (run?.[0].role === message.role) run.push(message);
    else runs.push([message]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : joinRun(run)));
}

function joinRun(
  run: readonly [LanguageModelV4Message, ...LanguageModelV4Message[]],
): LanguageModelV4Message {
  const [first] = run;
  switch (first.role) {
    case "system":
      return { ...first, content: run.map(({ content }) => content).join("\n\n") };
    case "user":
      return {
        ...first,
        content: run.flatMap((each) => (each.role === "user" ? each.content : [])),
      };
    case "tool":
      return {
        ...first,
        content: run.flatMap((each) => (each.role === "tool" ? each.content : [])),
      };
    case "assistant": {
      const answers = run.flatMap((each) => (each.role === "assistant" ? [each.content] : []));
      return { ...first, content: joinAnswers(answers) };
    }
  }
}

function joinAnswers(answers: readonly (readonly AnswerPart[])[]): AnswerPart[] {
  let hasText = false;
  return answers.flatMap((parts) => {
    const isBetweenTexts = hasText && parts[0]?.type === "text";
    hasText ||= parts.some(({ type }) => type === "text");
    return isBetweenTexts ? [{ type: "text", text: "\n\n" }, ...parts] : parts;
  });
}

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
