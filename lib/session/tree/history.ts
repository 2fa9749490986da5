import type { StoredMessage } from "../message";
import type { RecentHistory } from "../session-provider";

interface RecentLimits {
  readonly maxBytes: number;
  readonly minRecentMessages: number;
}

const encoder = new TextEncoder();

/** Bytes as stored: JSON in UTF-8 without id, role and time. */
export function contentBytes({ id: _, role: __, createdAt: ___, ...content }: StoredMessage) {
  return encoder.encode(JSON.stringify(content)).length;
}

/** At least `minRecentMessages`, and always the last. Sizes are those of `getHistoryRowStats`. */
export function recentOf(
  messages: StoredMessage[],
  { maxBytes, minRecentMessages }: RecentLimits,
): RecentHistory {
  const least = Math.max(1, minRecentMessages);
  let bytes = 0;
  let count = 0;
  for (const message of messages.toReversed()) {
    bytes += contentBytes(message);
    if (bytes > maxBytes && count >= least) break;
    count++;
  }
  const omittedMessages = messages.length - count;
  return { messages: messages.slice(omittedMessages), omittedMessages };
}
