import { isCompactionMessage } from "@/lib/session/compaction/compaction-message";
import type { SessionMessage } from "@/lib/session/message";
import { estimateMessageTokens, type TokenCounter } from "./estimate-tokens";

/**
 * A counter that trusts what the model reported: the tokens up to the newest message that carries a report, plus an
 * estimate of what follows it.
 *
 * @param reportedTokens how many tokens the model had read and written once it finished a message; `undefined` when
 *   the message carries no report.
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

/** A summary made after the report has shortened what the report was about. */
function isOutdated(messages: readonly SessionMessage[], reporter: SessionMessage): boolean {
  const reportedAt = reporter.createdAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return messages.some((message) => {
    return isCompactionMessage(message) && (message.createdAt?.getTime() ?? 0) >= reportedAt;
  });
}
