import type { LLMAdapter, LLMResult, Message } from "../index";

interface ScriptedModel extends LLMAdapter {
  readonly contexts: Message[][];
}

/** Answers in order, and records its requests. */
export function scripted(...answers: readonly (string | LLMResult)[]): ScriptedModel {
  const contexts: Message[][] = [];
  return {
    contexts,
    maxContextTokens: 100_000,
    complete: async (messages) => {
      contexts.push(messages);
      const answer = answers[contexts.length - 1] ?? "";
      return typeof answer === "string" ? { content: answer } : answer;
    },
  };
}

export function texts(messages: readonly Message[] = []): [string, string][] {
  return messages.map(({ role, content }) => [role, content]);
}
