import type { SessionMessage, StoredMessage } from "grove-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";

interface MessageAddress {
  readonly sessionId: string;
  readonly messageId: string;
}

/**
 * Writes what `next` makes of a stored message, one such change after another, so that none undoes another. `null` from
 * `next` leaves it as it is. @returns the written message; `null` without one.
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
