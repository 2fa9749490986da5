import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { messagesOf } from "@/lib/chat/sessions/transcript";
import type { deleteMessagesRequest } from "@/lib/chat/wire/messages";
import type { ChangedDeletion } from "@/lib/session/internal";

/** Removes messages from every path, with `subtree` also their descendants. Once for each `deletionId`; can be undone. */
export async function deleteMessages(
  owner: OwnerData,
  sessionId: string,
  { ids, subtree, deletionId, continueAt }: z.output<typeof deleteMessagesRequest>,
): Promise<ChangedDeletion> {
  const messages = await messagesOf(owner, sessionId);
  return messages.deleteMessages(ids, { deletionId, withDescendants: subtree, continueAt });
}
