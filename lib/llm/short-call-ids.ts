import { hash } from "node:crypto";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

const length = 9;
const accepted = /^[a-zA-Z0-9]{9}$/;

/**
 * Mistral's API and templates take only ids of nine letters and digits. A call keeps its id, so that prompt caches keep
 * serving.
 */
export function shortCallIds(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const given = new Map<string, string>();
  const used = new Set<string>();
  const shortOf = (id: string) => {
    const known = given.get(id);
    if (known !== undefined) return known;
    const short = freeId(id, used);
    given.set(id, short);
    used.add(short);
    return short;
  };
  return prompt.map((message): LanguageModelV4Message => {
    if (message.role === "assistant") {
      if (!message.content.some(({ type }) => type === "tool-call")) return message;
      const content = message.content.map((part) =>
        part.type === "tool-call" || part.type === "tool-result"
          ? { ...part, toolCallId: shortOf(part.toolCallId) }
          : part,
      );
      return { ...message, content };
    }
    if (message.role !== "tool") return message;
    const content = message.content.map((part) =>
      part.type === "tool-result" ? { ...part, toolCallId: shortOf(part.toolCallId) } : part,
    );
    return { ...message, content };
  });
}

function freeId(id: string, used: ReadonlySet<string>): string {
  if (accepted.test(id) && !used.has(id)) return id;
  for (let tries = 0; ; tries++) {
    const short = hash("sha256", tries === 0 ? id : `${id} ${tries}`).slice(0, length);
    if (!used.has(short)) return short;
  }
}
