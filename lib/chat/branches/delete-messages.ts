import type { z } from "zod";
import type { OwnerData } from "@/lib/chat/owner-data";
import { messagesOf } from "@/lib/chat/sessions/transcript";
import type { deleteMessagesRequest } from "@/lib/chat/wire/messages";
import type { Deletion, TreeNode } from "@/lib/session";

/** Removes messages from every path, with `subtree` also their descendants; can be undone. */
export async function deleteMessages(
  owner: OwnerData,
  sessionId: string,
  { ids, subtree }: z.output<typeof deleteMessagesRequest>,
): Promise<Deletion> {
  const messages = await messagesOf(owner, sessionId);
  return messages.deleteMessages(subtree ? withDescendants(await messages.getTree(), ids) : ids);
}

/** `nodes` have parents before children, so one pass suffices. */
export function withDescendants(
  nodes: readonly Pick<TreeNode, "id" | "parentId">[],
  ids: readonly string[],
): string[] {
  const taken = new Set(ids);
  for (const { id, parentId } of nodes) {
    if (parentId !== null && taken.has(parentId)) taken.add(id);
  }
  return [...taken];
}
