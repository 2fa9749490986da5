import type { SessionMessage } from "@/lib/session/message";
import { isToolPart } from "@/lib/session/message-parts";
import { isCompactionMessage } from "./compaction-message";

interface BoundaryOptions {
  /** Number of first messages kept verbatim. */
  readonly protectHead: number;
  /** Newest messages kept verbatim, in tokens. */
  readonly tailTokenBudget: number;
  /** Minimum number of tail messages; at least one. */
  readonly minTailMessages: number;
  /** Tokens of each message, by index. */
  readonly tokens: readonly number[];
  readonly pinnedIds: ReadonlySet<string>;
}

/** Messages to summarize: `start` included, `end` not. */
interface CompactionSlice {
  readonly start: number;
  readonly end: number;
}

/**
 * Selects the messages to summarize: all but a protected head and a tail within its budget. Earlier summaries lie
 * inside, to be updated. `null` when there is nothing new. A tool call and its result stay on one side. The tail
 * starts at a question where one is near enough, since a model that sees an answer without its question repeats it.
 */
export function compactionSlice(
  messages: readonly SessionMessage[],
  options: BoundaryOptions,
): CompactionSlice | null {
  const headEnd = keepCallsInHead(messages, endOfHead(messages, options.protectHead));
  const byBudget = startOfTail(messages, headEnd, options);
  const tailStart = keepCallsInTail(
    messages,
    questionAt(messages, { from: byBudget, after: headEnd }),
  );
  return withoutPinnedEnds(messages, { start: headEnd, end: tailStart }, options.pinnedIds);
}

/** A summary is never part of the head: the next one must be able to replace it. */
function endOfHead(messages: readonly SessionMessage[], protectHead: number): number {
  const firstSummary = messages.findIndex(isCompactionMessage);
  return Math.min(protectHead, firstSummary === -1 ? messages.length : firstSummary);
}

function startOfTail(
  messages: readonly SessionMessage[],
  headEnd: number,
  { tailTokenBudget, minTailMessages, tokens }: BoundaryOptions,
): number {
  const least = Math.max(1, minTailMessages);
  let start = messages.length;
  let total = 0;
  while (start > headEnd) {
    total += tokens[start - 1] ?? 0;
    if (total > tailTokenBudget && messages.length - start >= least) break;
    start--;
  }
  return start;
}

function questionAt(
  messages: readonly SessionMessage[],
  { from, after }: { from: number; after: number },
): number {
  const isQuestion = (message: SessionMessage) =>
    message.role === "user" && !isCompactionMessage(message);
  const question = messages.slice(0, from + 1).findLastIndex(isQuestion);
  return question > after ? question : from;
}

function keepCallsInHead(messages: readonly SessionMessage[], boundary: number): number {
  const open = callIds(messages.slice(0, boundary));
  const last = messages.findLastIndex((message) =>
    [...callIds([message])].some((id) => open.has(id)),
  );
  return last >= boundary ? keepCallsInHead(messages, last + 1) : boundary;
}

function keepCallsInTail(messages: readonly SessionMessage[], boundary: number): number {
  const open = callIds(messages.slice(boundary));
  const first = messages.findIndex((message) => [...callIds([message])].some((id) => open.has(id)));
  return first !== -1 && first < boundary ? keepCallsInTail(messages, first) : boundary;
}

function callIds(messages: readonly SessionMessage[]): Set<unknown> {
  const parts = messages.flatMap((message) => message.parts.filter(isToolPart));
  return new Set(parts.map((part) => part.toolCallId).filter((id) => id !== undefined));
}

/**
 * Pinned messages stay visible anyway; at an end they would only make the range cut through an earlier summary.
 */
function withoutPinnedEnds(
  messages: readonly SessionMessage[],
  { start, end }: CompactionSlice,
  pinnedIds: ReadonlySet<string>,
): CompactionSlice | null {
  const middle = messages
    .slice(start, end)
    .map((message, index) => ({ message, index: start + index }));
  const open = middle.filter(({ message }) => !pinnedIds.has(message.id));
  const [first, last] = [open[0], open.at(-1)];
  const isNew = open.some(({ message }) => !isCompactionMessage(message));
  return first && last && isNew ? { start: first.index, end: last.index + 1 } : null;
}
