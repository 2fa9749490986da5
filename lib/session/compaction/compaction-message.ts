import type { SessionMessage, StoredMessage } from "@/lib/session/message";
import type { Compaction } from "@/lib/session/session-provider";

const prefix = "compaction_";

/** What `metadata.compaction` of a synthetic summary message holds. */
export interface CompactionReference {
  readonly id: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
}

/** Whether a message is a synthetic one that shows a summary. */
export function isCompactionMessage(message: Pick<SessionMessage, "id">): boolean {
  return message.id.startsWith(prefix);
}

/** The compaction a synthetic message id names; `null` for the id of a stored message. */
export function compactionIdOf(messageId: string): string | null {
  return messageId.startsWith(prefix) ? messageId.slice(prefix.length) : null;
}

/**
 * The message that stands in a history for what a compaction covers.
 *
 * Its role is `user`: every model provider accepts a user message anywhere, while an assistant message it did not write
 * would be continued, signed or refused by some.
 */
export function compactionMessage(compaction: Compaction): StoredMessage {
  const { id, fromMessageId, toMessageId } = compaction;
  return {
    id: prefix + id,
    role: "user",
    parts: [{ type: "text", text: compaction.summary }],
    createdAt: compaction.createdAt,
    metadata: { compaction: { id, fromMessageId, toMessageId } satisfies CompactionReference },
  };
}
