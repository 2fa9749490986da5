import type { ChangedDeletion } from "grove-session/ports";
import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { messagesOf } from "@/lib/chat/sessions/transcript";
import type { deleteMessagesRequest } from "@/lib/chat/wire/messages";

export async function deleteMessages(
  owner: OwnerData,
  sessionId: string,
  { ids, subtree, deletionId, continueAt }: z.output<typeof deleteMessagesRequest>,
): Promise<ChangedDeletion> {
  const messages = await messagesOf(owner, sessionId);
  return messages.deleteMessages(ids, { deletionId, withDescendants: subtree, continueAt });
}
