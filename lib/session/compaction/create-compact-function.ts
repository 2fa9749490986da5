import { isCompactionMessage } from "../compaction-message";
import { SummaryRejectedError } from "../errors";
import { isToolPart, type SessionMessage } from "../message";
import type { MaybePromise } from "../session-provider";
import {
  estimateMessageTokens,
  estimateStringTokens,
  type TokenCounter,
} from "../tokens/estimate-tokens";
import { counterOfMessages, type SessionTokenCounter } from "../tokens/token-counters";
import {
  computeSummaryBudget,
  defaultModelView,
  type SummarizeOptions,
  summarizeMessages,
  type WrittenSummary,
} from "./summarize-messages";

/** The ends are ids of messages or of synthetic summary messages. */
export interface CompactResult {
  readonly fromMessageId: string;
  readonly toMessageId: string;
  readonly summary: string;
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  readonly model?: string | undefined;
  readonly cost?: number | undefined;
}

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface CompactOptions extends AbortOptions {
  /** The person's words about what to preserve above all. */
  readonly focus?: string | undefined;
  readonly tokenCounter?: TokenCounter | undefined;
  readonly pinnedIds?: ReadonlySet<string> | undefined;
}

/** `null` when there is nothing to do. */
export interface CompactFunction {
  (messages: readonly SessionMessage[], options?: CompactOptions): Promise<CompactResult | null>;
  summarizeAll?(
    messages: readonly SessionMessage[],
    options?: CompactOptions,
  ): Promise<WrittenSummary>;
}

export interface PreviewedCompactFunction extends CompactFunction {
  summarizeAll: NonNullable<CompactFunction["summarizeAll"]>;
  /** The messages a call would summarize, without asking a model; empty when there is nothing to do. */
  preview(
    messages: readonly SessionMessage[],
    options?: Pick<CompactOptions, "tokenCounter" | "pinnedIds">,
  ): Promise<readonly SessionMessage[]>;
}

export interface CompactFunctionOptions
  extends Pick<SummarizeOptions, "summarize" | "maxInputTokens" | "modelView"> {
  /** First messages kept. Default 3. */
  readonly protectHead?: number | undefined;
  /** Tokens. Default 20,000. */
  readonly tailTokenBudget?: number | undefined;
  /** Newest messages kept in any case. Default 2. */
  readonly minTailMessages?: number | undefined;
  /** Replaces the session's counter and the estimate. */
  readonly tokenCounter?: SessionTokenCounter | undefined;
  /** Awaited with the messages about to be summarized. */
  readonly onBegin?: ((messages: readonly SessionMessage[]) => MaybePromise<void>) | undefined;
}

/**
 * Keeps head and tail, and summarizes the middle under Topic, Key Points, Current State and Open Items, updating any
 * earlier summary.
 * Throws `SummaryRejectedError` when the answer is blank, truncated, or no shorter than the middle.
 */
export function createCompactFunction(options: CompactFunctionOptions): PreviewedCompactFunction {
  const { modelView = defaultModelView } = options;
  const preview = async (history: readonly SessionMessage[], call: CompactOptions = {}) => {
    const messages = modelView(history);
    const count = counterOf(options, call);
    const tokens = await Promise.all(messages.map((message) => count([message])));
    const slice = compactionSlice(messages, {
      protectHead: options.protectHead ?? 3,
      tailTokenBudget: options.tailTokenBudget ?? 20_000,
      minTailMessages: options.minTailMessages ?? 2,
      tokens,
      pinnedIds: call.pinnedIds ?? new Set(),
    });
    return slice ? messages.slice(slice.start, slice.end) : [];
  };
  const compact = async (history: readonly SessionMessage[], call: CompactOptions = {}) => {
    return compactMiddle(await preview(history, call), options, call);
  };
  const summarizeAll = (messages: readonly SessionMessage[], call: CompactOptions = {}) => {
    return summaryOf(modelView(messages), options, call);
  };
  return Object.assign(compact, { summarizeAll, preview });
}

function counterOf(options: CompactFunctionOptions, call: CompactOptions): TokenCounter {
  return counterOfMessages(options.tokenCounter ?? call.tokenCounter) ?? estimateMessageTokens;
}

async function compactMiddle(
  middle: readonly SessionMessage[],
  options: CompactFunctionOptions,
  call: CompactOptions,
): Promise<CompactResult | null> {
  const [first, last] = [middle[0], middle.at(-1)];
  if (!first || !last) return null;
  const { text: summary, model, cost } = await summaryOf(middle, options, call);
  const tokensBefore = await counterOf(options, call)(middle);
  const tokensAfter = estimateStringTokens(summary);
  if (tokensAfter >= tokensBefore) throw new SummaryRejectedError("too-long");
  const range = { fromMessageId: first.id, toMessageId: last.id };
  return {
    ...range,
    summary,
    tokensBefore,
    tokensAfter,
    ...(model !== undefined && { model }),
    ...(cost !== undefined && { cost }),
  };
}

async function summaryOf(
  messages: readonly SessionMessage[],
  { summarize, maxInputTokens, onBegin }: CompactFunctionOptions,
  { focus, signal }: CompactOptions,
): Promise<WrittenSummary> {
  await onBegin?.(messages);
  const previous = messages.filter(isCompactionMessage).map(textOf).join("\n\n");
  const fresh = messages.filter((message) => !isCompactionMessage(message));
  return summarizeMessages(fresh, {
    summarize,
    budget: computeSummaryBudget(messages),
    previousSummary: previous || undefined,
    focus,
    maxInputTokens,
    modelView: (read) => read,
    signal,
  });
}

function textOf({ parts }: SessionMessage): string {
  return parts
    .map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("\n");
}

interface BoundaryOptions {
  readonly protectHead: number;
  readonly tailTokenBudget: number;
  readonly minTailMessages: number;
  readonly tokens: readonly number[];
  readonly pinnedIds: ReadonlySet<string>;
}

interface CompactionSlice {
  readonly start: number;
  readonly end: number;
}

/**
 * All but a protected head and a tail within its budget; `null` when nothing is new. A tool call and its result stay
 * together. The tail starts at a question where one is near: a model that sees an answer without its question repeats
 * it.
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

/** A summary is never in the head: the next one must be able to replace it. */
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

/** Pinned messages as ends would cut the range through an earlier summary. */
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
