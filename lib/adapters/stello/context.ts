import { estimateStringTokens } from "../../session";
import type { Message } from "./types";

interface ContextSources {
  readonly systemPrompt: string | null;
  readonly note: string | null;
  /** Replaces old records; `null` where there is none. */
  readonly memory: string | null;
  readonly records: readonly Message[];
  readonly newRecords: readonly Message[];
  readonly maxContextTokens: number;
}

const share = 0.8;
const tokensPerMessage = 4;

/**
 * System prompt, note, records, new records. Beyond 80% of the context window, the memory, if any, replaces the oldest
 * records.
 */
export function assembleContext({
  systemPrompt,
  note,
  memory,
  records,
  newRecords,
  maxContextTokens,
}: ContextSources): Message[] {
  const history = withResults([...records, ...newRecords]);
  const head = [systemPrompt, note].flatMap(systemMessage);
  const budget = maxContextTokens * share;
  if (memory === null || tokensOf([...head, ...history]) <= budget) return [...head, ...history];
  const fixed = [...head, ...systemMessage(memory)];
  // A question, or the calls whose results are new, stays whatever its size.
  const newest = history.findLastIndex(({ role }) => role !== "tool");
  const start = Math.min(newest, newestWithin(history, budget - tokensOf(fixed)));
  return [...fixed, ...withResults(history.slice(start))];
}

function systemMessage(content: string | null): Message[] {
  return content === null ? [] : [{ role: "system", content }];
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

/** Providers refuse calls and results without each other, as an interrupted or trimmed turn leaves. */
function withResults(records: readonly Message[]): Message[] {
  const complete: Message[] = [];
  let open: string[] = [];
  const close = () => {
    for (const toolCallId of open)
      complete.push({ role: "tool", toolCallId, content: "interrupted" });
    open = [];
  };
  for (const record of records) {
    if (record.role === "tool") {
      if (!open.includes(record.toolCallId ?? "")) continue;
      open = open.filter((id) => id !== record.toolCallId);
    } else {
      close();
      open = (record.toolCalls ?? []).map(({ id }) => id);
    }
    complete.push(record);
  }
  close();
  return complete;
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content, toolCalls = [] }) => {
    const calls = toolCalls.length > 0 ? JSON.stringify(toolCalls) : "";
    return sum + tokensPerMessage + estimateStringTokens(content) + estimateStringTokens(calls);
  }, 0);
}
