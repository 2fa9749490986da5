import { SummaryRejectedError } from "@/lib/session/errors";
import type { SessionMessage } from "@/lib/session/message";
import type { MaybePromise } from "@/lib/session/session-provider";
import {
  estimateMessageTokens,
  estimateStringTokens,
  type TokenCounter,
} from "@/lib/session/tokens/estimate-tokens";
import { compactionSlice } from "./boundaries";
import { isCompactionMessage } from "./compaction-message";
import {
  computeSummaryBudget,
  defaultModelView,
  type SummarizeOptions,
  summarizeMessages,
  type WrittenSummary,
} from "./summarize-messages";

/**
 * A summary and its range. The ends are ids of messages or of synthetic summary messages in the given history.
 */
export interface CompactResult {
  readonly fromMessageId: string;
  readonly toMessageId: string;
  readonly summary: string;
  /** Tokens of the range and of the summary. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** The model that wrote it, and the cost in dollars. */
  readonly model?: string | undefined;
  readonly cost?: number | undefined;
}

export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of one compaction. A session adds its own counter and pinned messages. */
export interface CompactOptions extends AbortOptions {
  /** To preserve above all, in the person's words. */
  readonly focus?: string | undefined;
  readonly tokenCounter?: TokenCounter | undefined;
  /** Messages that always stay verbatim. */
  readonly pinnedIds?: ReadonlySet<string> | undefined;
}

/** Chooses and summarizes a part of a visible history. `null` when there is nothing to do. */
export interface CompactFunction {
  (messages: readonly SessionMessage[], options?: CompactOptions): Promise<CompactResult | null>;
  /** Summarizes all messages, for a session that continues from the summary. */
  summarizeAll?(
    messages: readonly SessionMessage[],
    options?: CompactOptions,
  ): Promise<WrittenSummary>;
}

/** Sizes are in tokens, counts in messages. */
export interface CompactFunctionOptions
  extends Pick<SummarizeOptions, "summarize" | "maxInputTokens" | "modelView"> {
  /** First messages kept verbatim. Default 3. */
  readonly protectHead?: number | undefined;
  /** Tokens of newest messages kept verbatim. Default 20,000. */
  readonly tailTokenBudget?: number | undefined;
  /** Minimum number of newest messages kept verbatim. Default 2. */
  readonly minTailMessages?: number | undefined;
  /** Replaces the session's counter and the estimate. */
  readonly tokenCounter?: TokenCounter | undefined;
  /** Called and awaited with the messages about to be summarized. */
  readonly onBegin?: ((messages: readonly SessionMessage[]) => MaybePromise<void>) | undefined;
}

/**
 * The default compaction function: keeps head and tail, and summarizes the middle under the headings Topic, Key
 * Points, Current State and Open Items, updating any earlier summary.
 *
 * The returned function throws `SummaryRejectedError` when the answer is blank, truncated, or no shorter than the
 * middle.
 */
export function createCompactFunction(options: CompactFunctionOptions): CompactFunction {
  const { modelView = defaultModelView } = options;
  const compact = async (history: readonly SessionMessage[], call: CompactOptions = {}) => {
    const messages = modelView(history);
    const count = options.tokenCounter ?? call.tokenCounter ?? estimateMessageTokens;
    const tokens = await Promise.all(messages.map((message) => count([message])));
    const slice = compactionSlice(messages, {
      protectHead: options.protectHead ?? 3,
      tailTokenBudget: options.tailTokenBudget ?? 20_000,
      minTailMessages: options.minTailMessages ?? 2,
      tokens,
      pinnedIds: call.pinnedIds ?? new Set(),
    });
    return slice && compactMiddle(messages.slice(slice.start, slice.end), options, call);
  };
  const summarizeAll = (messages: readonly SessionMessage[], call: CompactOptions = {}) => {
    return summaryOf(modelView(messages), options, call);
  };
  return Object.assign(compact, { summarizeAll });
}

async function compactMiddle(
  middle: readonly SessionMessage[],
  options: CompactFunctionOptions,
  call: CompactOptions,
): Promise<CompactResult | null> {
  const [first, last] = [middle[0], middle.at(-1)];
  if (!first || !last) return null;
  const { text: summary, model, cost } = await summaryOf(middle, options, call);
  const count = options.tokenCounter ?? call.tokenCounter ?? estimateMessageTokens;
  const tokensBefore = await count(middle);
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
