import type { SessionMessage, StoredMessage } from "@/lib/session/message";
import type { Compaction } from "@/lib/session/session-provider";

const prefix = "compaction_";

/** Content of `metadata.compaction` of a synthetic summary message. */
interface CompactionReference {
  readonly id: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
}

/** Tells the synthetic message of a summary from a stored one. */
export function isCompactionMessage(message: Pick<SessionMessage, "id">): boolean {
  return message.id.startsWith(prefix);
}

/** The compaction id in a synthetic message id; `null` for a stored message. */
export function compactionIdOf(messageId: string): string | null {
  return messageId.startsWith(prefix) ? messageId.slice(prefix.length) : null;
}

/**
 * The synthetic message that replaces a compacted range. Its role is `user`: every provider accepts a user message
 * anywhere, while some would continue, sign or refuse an assistant message they did not write.
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
