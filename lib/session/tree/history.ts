import type { StoredMessage } from "@/lib/session/message";
import type { RecentHistory } from "@/lib/session/session-provider";

interface RecentLimits {
  readonly maxBytes: number;
  readonly minRecentMessages: number;
}

const encoder = new TextEncoder();

/**
 * The newest messages whose JSON, in UTF-8, fits `maxBytes`; at least `minRecentMessages`, and always the last.
 */
export function recentOf(
  messages: StoredMessage[],
  { maxBytes, minRecentMessages }: RecentLimits,
): RecentHistory {
  const least = Math.max(1, minRecentMessages);
  let bytes = 0;
  let count = 0;
  for (const message of messages.toReversed()) {
    bytes += encoder.encode(JSON.stringify(message)).length;
    if (bytes > maxBytes && count >= least) break;
    count++;
  }
  const omittedMessages = messages.length - count;
  return { messages: messages.slice(omittedMessages), omittedMessages };
}
