import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";

type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;

const longestInput = 2_000;

/**
 * Notes are the user's: as text of the answer, the model would write such notes itself. @param isTold true for messages
 * whose calls become notes.
 */
export function callsAsNotes(
  prompt: LanguageModelV4Prompt,
  isTold: (index: number) => boolean,
): LanguageModelV4Prompt {
  const told = new Map<string, LanguageModelV4ToolCallPart>();
  const withoutTold = prompt.map((message, index): LanguageModelV4Message | null => {
    if (message.role === "assistant" && isTold(index)) {
      for (const part of message.content)
        if (part.type === "tool-call" && !part.providerExecuted) told.set(part.toolCallId, part);
      return withoutCalls(message);
    }
    if (message.role !== "tool") return message;
    const results = message.content.filter((part) => part.type === "tool-result");
    const notes = results.flatMap((part) => {
      const call = told.get(part.toolCallId);
      return call ? [noteOf(call, part)] : [];
    });
    if (notes.length === 0) return message;
    return { role: "user", content: notes.map((text) => ({ type: "text", text })) };
  });
  return withoutTold.filter((message) => message !== null);
}

function withoutCalls(message: AssistantMessage): AssistantMessage | null {
  const content = message.content.filter(
    (part) => part.type !== "tool-call" || part.providerExecuted === true,
  );
  const saysSomething = content.some(({ type }) => type !== "reasoning");
  return saysSomething ? { ...message, content } : null;
}

function noteOf(
  { toolName, input }: LanguageModelV4ToolCallPart,
  { output }: LanguageModelV4ToolResultPart,
): string {
  const given = JSON.stringify(input) ?? "";
  const shown = given.length <= longestInput ? given : `${given.slice(0, longestInput)}…`;
  return `(The tool ${toolName} was called with ${shown}. Result: ${wordsOf(output)})`;
}

export function wordsOf(output: LanguageModelV4ToolResultPart["output"]): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value ?? "";
    case "json":
    case "error-json":
      return JSON.stringify(output.value) ?? "";
    case "execution-denied":
      return output.reason ?? "The call was denied.";
    case "content":
      return output.value
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n");
  }
}
