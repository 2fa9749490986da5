import { DeletionNotFoundError, SessionNotFoundError } from "grove-session";
import type { BlockRef, Deleted } from "grove-session/ports";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { blockKinds } from "@/lib/chat/sessions/block-kinds";
import { endTemporaryChat } from "@/lib/chat/sessions/temporary-chat";
import type { DeletedPageWire, DeletedWire, DeletionWire } from "@/lib/chat/wire/deletions";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { toWire } from "@/lib/chat/wire/wire";

const pageSize = 100;

export async function deletedPage(
  { deletions }: OwnerData,
  { after, keptMs }: { after?: string | undefined; keptMs: number },
): Promise<DeletedPageWire> {
  const found = await deletions.list({ limit: pageSize + 1, after });
  const page = found.slice(0, pageSize);
  return {
    deletions: page.map((deleted) => deletedWire(deleted, keptMs)),
    nextCursor: found.length > pageSize ? (page.at(-1)?.id ?? null) : null,
  };
}

export async function deleteSession(
  owner: OwnerData,
  sessionId: string,
  deletionId: string = crypto.randomUUID(),
): Promise<DeletionWire> {
  const { store, deletions } = owner;
  if (isTemporaryId(sessionId)) {
    await endTemporaryChat(owner, sessionId);
    return { deletionId };
  }
  if (await store.sessions.delete(sessionId, { deletionId })) return { deletionId };
  const made = await deletions.madeBy(deletionId);
  if (!made) throw new SessionNotFoundError(sessionId);
  return { deletionId: made.id };
}

export async function restoreDeletion(owner: OwnerData, deletionId: string): Promise<void> {
  const deleted = await owner.deletions.get(deletionId);
  try {
    if (deleted) await restore(owner, deleted);
    else if (!(await owner.deletions.madeBy(deletionId)))
      throw new DeletionNotFoundError(deletionId);
  } catch (error) {
    // Another request has restored it meanwhile.
    if (!deleted || (await owner.deletions.get(deletionId))) throw error;
  }
}

/** Anything restored and deleted again meanwhile stays deleted. */
async function restore(owner: OwnerData, deleted: Deleted): Promise<void> {
  const { id, kind, sessionId, blockId } = deleted;
  if (kind === "session" && sessionId !== null) await owner.store.sessions.restore(sessionId, id);
  if (kind === "messages" && sessionId !== null)
    await owner.store.messages(sessionId).restoreMessages(id);
  if (kind === "block" && blockId !== null)
    await owner.blocks.restore({ id: blockId, sessionId }, id);
  if (kind === "entry" && blockId !== null) await restoreEntry(owner, { ...deleted, blockId });
}

export async function removeDeletion({ deletions }: OwnerData, deletionId: string): Promise<void> {
  const made = await deletions.madeBy(deletionId);
  if (!made) return;
  if ((await deletions.remove(made.id)) === false)
    throw new ChatError("deletion-restored", "This was restored, so nothing was removed.");
}

async function restoreEntry(
  { blocks }: OwnerData,
  { id, blockId, label, blockKind, sessionId, title }: Deleted & { blockId: string },
): Promise<void> {
  const ref: BlockRef = { blockId, label: label ?? blockId, sessionId };
  const stored = blockKind && blockKinds[blockKind].entries?.stored;
  const entries = stored ? stored(blocks, ref) : blocks.searchable(ref);
  const outcome = await entries.restoreDeleted(id, { provenance: { author: "person" } });
  if (outcome === "taken") {
    throw new ChatError(
      "entry-exists",
      `An entry called “${title}” was added since. Rename or delete it first.`,
    );
  }
}

function deletedWire({ blockKind: _, ...deleted }: Deleted, keptMs: number): DeletedWire {
  return toWire({ ...deleted, goneAt: new Date(deleted.deletedAt.getTime() + keptMs) });
}
