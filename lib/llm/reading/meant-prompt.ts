import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Meant } from "./thought-tags";

type AnswerPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/**
 * The prompt of a later step with the earlier ones as their marks say they were meant: within one answer the SDK sends
 * back the parts as they came. Stored answers have no marks.
 */
export function meantPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) =>
    message.role === "assistant"
      ? { ...message, content: message.content.map(meantPart) }
      : message,
  );
}

function meantPart(part: AnswerPart): AnswerPart {
  if (part.type !== "text" && part.type !== "reasoning") return part;
  const { grove, ...providerOptions } = part.providerOptions ?? {};
  const mark = grove as Meant | undefined;
  if (mark?.meant === "reasoning") return { ...part, type: "reasoning", providerOptions };
  if (mark?.meant !== "text") return part;
  return { ...part, type: "text", text: mark.opening + part.text, providerOptions };
}
