import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

export function callTurns(prompt: LanguageModelV4Prompt): readonly (readonly number[])[] {
  const turns: number[][] = [[]];
  for (const [index, { role }] of prompt.entries()) {
    if (role === "user") turns.push([]);
    turns.at(-1)?.push(index);
  }
  return turns.filter((turn) => turn.some((index) => hasCall(prompt[index])));
}

/**
 * Models that think between calls refuse turns with calls but without thoughts. @see
 * https://api-docs.deepseek.com/guides/thinking_mode
 */
export function callsWithoutThoughts(prompt: LanguageModelV4Prompt): ReadonlySet<number> {
  const lacking = callTurns(prompt).filter((turn) =>
    turn.some((index) => prompt[index]?.role === "assistant" && !hasThought(prompt[index])),
  );
  return new Set(lacking.flat().filter((index) => hasCall(prompt[index])));
}

function hasCall(message: LanguageModelV4Message | undefined): boolean {
  return (
    message?.role === "assistant" &&
    message.content.some((part) => part.type === "tool-call" && part.providerExecuted !== true)
  );
}

/** Gemini signs its calls instead of its thoughts. */
function hasThought(message: LanguageModelV4Message | undefined): boolean {
  return (
    message?.role === "assistant" &&
    message.content.some(
      (part) =>
        part.type === "reasoning" ||
        (part.type === "tool-call" && part.providerOptions !== undefined),
    )
  );
}
