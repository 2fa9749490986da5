import type { SessionMessage, StoredMessage } from "./message";
import type { Compaction } from "./session-provider";

const prefix = "compaction_";

interface CompactionReference {
  readonly id: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
}

/** Tells the synthetic message of a summary from a stored one. */
export function isCompactionMessage(message: Pick<SessionMessage, "id">): boolean {
  return message.id.startsWith(prefix);
}

export function compactionIdOf(messageId: string): string | null {
  return messageId.startsWith(prefix) ? messageId.slice(prefix.length) : null;
}

/**
 * The role in place of a compacted range is `user`: some providers refuse, sign or continue an assistant message they
 * did not write.
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
