import { isCompactionMessage } from "../compaction-message";
import type { ContextBlock } from "../context-provider";
import type { SessionMessage } from "../message";
import type { MaybePromise } from "../session-provider";
import { estimateMessageTokens, type TokenCounter } from "./estimate-tokens";

/**
 * Counts the tokens up to the newest report of a model, plus an estimate of the rest. @param reportedTokens tokens the
 * model had read and written when it finished a message; `undefined` without a report.
 */
export function usageTokenCounter(
  reportedTokens: (message: SessionMessage) => number | undefined,
): TokenCounter {
  return (messages) => {
    const index = messages.findLastIndex((message) => reportedTokens(message) !== undefined);
    const reporter = messages[index];
    const reported = reporter && reportedTokens(reporter);
    if (!reporter || reported === undefined || isOutdated(messages, reporter)) {
      return estimateMessageTokens(messages);
    }
    return reported + estimateMessageTokens(messages.slice(index + 1));
  };
}

function isOutdated(messages: readonly SessionMessage[], reporter: SessionMessage): boolean {
  const reportedAt = reporter.createdAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return messages.some((message) => {
    return isCompactionMessage(message) && (message.createdAt?.getTime() ?? 0) >= reportedAt;
  });
}

export interface CallParts {
  readonly messages: SessionMessage[];
  /** `""` where single messages are counted. */
  readonly systemPrompt: string;
  readonly contextBlocks: ContextBlock[];
}

/** The list also names itself, the prompt and the blocks, for counters of either form. */
export type CountedCall = readonly SessionMessage[] & CallParts;

/** Counts a call from its messages alone, or from `{ messages, systemPrompt, contextBlocks }`. */
export type SessionTokenCounter = (call: CountedCall) => MaybePromise<number>;

export function countedCall(
  messages: readonly SessionMessage[],
  { systemPrompt, contextBlocks }: Omit<CallParts, "messages">,
): CountedCall {
  return Object.assign([...messages], { messages: [...messages], systemPrompt, contextBlocks });
}

export function counterOfMessages(
  counter: SessionTokenCounter | undefined,
): TokenCounter | undefined {
  if (!counter) return undefined;
  return (messages) => counter(countedCall(messages, { systemPrompt: "", contextBlocks: [] }));
}
