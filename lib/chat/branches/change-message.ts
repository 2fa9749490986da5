import type { SessionMessage, StoredMessage } from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";

interface MessageAddress {
  readonly sessionId: string;
  readonly messageId: string;
}

/**
 * Changes run one after another, so that none undoes another. `null` from `next` changes nothing. @returns `null`
 * without a message.
 */
export async function changeMessage<Changed extends SessionMessage>(
  { store, turns }: Pick<OwnerData, "store" | "turns">,
  { sessionId, messageId }: MessageAddress,
  next: (message: StoredMessage) => Changed | null,
): Promise<Changed | null> {
  return turns.take(`message ${messageId}`, async () => {
    const messages = store.messages(sessionId);
    const message = await messages.getMessage(messageId);
    const changed = message && next(message);
    if (changed) await messages.updateMessage(changed);
    return changed;
  });
}
