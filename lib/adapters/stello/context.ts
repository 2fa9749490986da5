import { estimateStringTokens } from "../../session";
import type { CompressFn, LLMAdapter, Message } from "./types";

/** Covers a conversation up to a message. */
export interface Summary {
  readonly text: string;
  readonly covers: number;
  readonly last: Message | undefined;
}

interface ContextSources {
  readonly head: readonly (string | null)[];
  readonly records: readonly Message[];
  readonly newRecords: readonly Message[];
  readonly maxContextTokens: number;
  readonly compress: CompressFn;
  readonly earlier: Summary | null;
}

const share = 0.8;
const tokensPerMessage = 4;
const summaryTokens = 500;
const smallestPiece = 4_000;
const instruction =
  "Summarize this conversation for the assistant that continues it: its subject, decisions, facts, open questions. Reply with the summary alone.";

/** Beyond 80% of the context window a summary replaces the older half of the records. */
export async function assembleContext({
  head,
  records,
  newRecords,
  maxContextTokens,
  compress,
  earlier,
}: ContextSources): Promise<{ messages: Message[]; summary: Summary | null }> {
  const fixed = head.flatMap(systemMessage);
  const history = withResults(records, newRecords);
  const budget = maxContextTokens * share - tokensOf(fixed);
  const whole = { messages: [...fixed, ...history], summary: earlier };
  if (tokensOf(history) <= budget) return whole;
  const summarized = (summary: Summary) => {
    const rest = [...systemMessage(summary.text), ...history.slice(summary.covers)];
    return { messages: [...fixed, ...rest], summary, fits: tokensOf(rest) <= budget };
  };
  const isKnown = earlier && isSame(earlier.last, history[earlier.covers - 1]);
  const before = isKnown ? summarized(earlier) : null;
  if (before?.fits) return before;
  // A question, or the calls whose results are new, stays whatever its size.
  const newest = history.findLastIndex(({ role }) => role !== "tool");
  let covers = Math.min(newest, newestWithin(history, (budget - summaryTokens) / 2));
  while (history[covers]?.role === "tool") covers--;
  if (covers <= 0) return whole;
  const text = await compress(history.slice(0, covers));
  return text.trim() === "" ? whole : summarized({ text, covers, last: history[covers - 1] });
}

/** Asks the session's own model, in pieces that fit its window. */
export function compressWith(llm: LLMAdapter, signal: AbortSignal | undefined): CompressFn {
  return async (messages) => {
    const size = Math.max(llm.maxContextTokens / 2, smallestPiece);
    let summary = "";
    for (let rest = messages; rest.length > 0; ) {
      const fitting = rest.length - newestWithin(rest.toReversed(), size);
      const piece = rest.slice(0, Math.max(fitting, 1));
      rest = rest.slice(piece.length);
      const lines = piece.map(({ role, content, toolCalls = [] }) =>
        [`${role}: ${content}`, ...toolCalls.map((call) => JSON.stringify(call))].join("\n"),
      );
      const content = [...(summary === "" ? [] : [`Summary so far: ${summary}`]), ...lines];
      const request = [
        ...systemMessage(instruction),
        { role: "user" as const, content: content.join("\n\n") },
      ];
      summary = (await llm.complete(request, { signal })).content ?? "";
    }
    return summary;
  };
}

function systemMessage(content: string | null): Message[] {
  return content === null ? [] : [{ role: "system", content }];
}

function isSame(one: Message | undefined, other: Message | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function newestWithin(messages: readonly Message[], budget: number): number {
  let left = budget;
  let start = messages.length;
  for (const message of messages.toReversed()) {
    left -= tokensOf([message]);
    if (left < 0) break;
    start--;
  }
  return start;
}

/**
 * Providers refuse calls and results without each other, so these are left out. Answered calls that the new records
 * leave open get a result.
 */
function withResults(records: readonly Message[], newRecords: readonly Message[]): Message[] {
  const complete: Message[] = [];
  let start = 0;
  let open: string[] = [];
  for (const record of [...records, ...newRecords]) {
    if (record.role === "tool") {
      if (!open.includes(record.toolCallId ?? "")) continue;
      open = open.filter((id) => id !== record.toolCallId);
    } else {
      if (open.length > 0) complete.length = start;
      start = complete.length;
      open = (record.toolCalls ?? []).map(({ id }) => id);
    }
    complete.push(record);
  }
  const interrupted = open.map(
    (toolCallId): Message => ({ role: "tool", toolCallId, content: "interrupted" }),
  );
  return [...complete, ...interrupted];
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content, toolCalls = [] }) => {
    const calls = toolCalls.length > 0 ? JSON.stringify(toolCalls) : "";
    return sum + tokensPerMessage + estimateStringTokens(content) + estimateStringTokens(calls);
  }, 0);
}
