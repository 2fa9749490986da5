import { z } from "zod";
import type { Message } from "./types";

const schema = z.object({
  toolResults: z
    .array(
      z.object({
        toolCallId: z.string(),
        success: z.boolean(),
        data: z.unknown().optional(),
        error: z.string().nullish(),
      }),
    )
    .min(1),
});

/** `null` unless the text answers calls of the last message and nothing else: a person may write JSON, too. */
export function toolResults(
  text: string,
  { records, timestamp }: { readonly records: readonly Message[]; readonly timestamp: string },
): Message[] | null {
  const calls = records.at(-1)?.toolCalls ?? [];
  if (calls.length === 0) return null;
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const results = parsed.data.toolResults;
  const areAnswers = results.every(({ toolCallId }) => calls.some(({ id }) => id === toolCallId));
  if (!areAnswers) return null;
  return results.map(({ toolCallId, success, data, error }) => ({
    role: "tool",
    toolCallId,
    content: success ? textOf(data) : (error ?? "failed"),
    timestamp,
  }));
}

function textOf(data: unknown): string {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? "");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
