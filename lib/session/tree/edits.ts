import {
  DeletionNotFoundError,
  InvalidArgumentError,
  MessageNotFoundError,
} from "@/lib/session/errors";
import type { SessionMessage } from "@/lib/session/message";
import type { Deletion } from "@/lib/session/session-provider";
import { assertStorable, toStoredBody } from "@/lib/session/stored-body";
import { leafAfterDeletion, liveRecord, pathWithDeleted } from "./paths";
import type { SessionTree, TreeRecord } from "./session-tree";

/** Replaces a body; parent, role and time stay. False when it was the same. @throws {MessageNotFoundError} */
export function updateIn(tree: SessionTree, message: SessionMessage): boolean {
  assertStorable(message);
  const { body } = requireRecord(tree, message.id);
  const { parts, metadata, extra } = toStoredBody(message, body.createdAt);
  const isSame = parts === body.parts && metadata === body.metadata && extra === body.extra;
  if (!isSame) change(tree, message.id, { body: { ...body, parts, metadata, extra } });
  return !isSame;
}

/** Parent pointers stay, so that restoring is exact. */
export function deleteFrom(tree: SessionTree, ids: readonly string[]): Deletion {
  const deletionId = crypto.randomUUID();
  const messageIds = [...new Set(ids)].filter((id) => liveRecord(tree, id));
  const leafBefore = tree.activeLeafId;
  for (const id of messageIds) change(tree, id, { deletionId });
  tree.activeLeafId = leafAfterDeletion(tree);
  tree.clock++;
  tree.deletions.set(deletionId, { messageIds, leafBefore, leafAfter: tree.activeLeafId });
  return { deletionId, messageIds };
}

/**
 * Restores a deletion; its leaf becomes active again unless another has since. @throws {DeletionNotFoundError}
 */
export function restoreIn(tree: SessionTree, deletionId: string): void {
  const deletion = tree.deletions.get(deletionId);
  if (!deletion) throw new DeletionNotFoundError(deletionId);
  for (const id of deletion.messageIds) change(tree, id, { deletionId: null });
  if (tree.activeLeafId === deletion.leafAfter && liveRecord(tree, deletion.leafBefore)) {
    tree.activeLeafId = deletion.leafBefore;
  }
  tree.clock++;
  tree.deletions.delete(deletionId);
}

/** @throws {MessageNotFoundError} */
export function activateIn(tree: SessionTree, id: string): void {
  requireRecord(tree, id);
  change(tree, id, { usedAt: ++tree.clock });
  tree.activeLeafId = id;
}

/** Returns the passed messages, root-most first. Past the first message no leaf is active. */
export function stepBackIn(tree: SessionTree, count: number): TreeRecord[] {
  const path = pathWithDeleted(tree, tree.activeLeafId).filter(
    (record) => record.deletionId === null,
  );
  const kept = Math.max(0, path.length - stepCount(count));
  if (kept === path.length) return [];
  tree.activeLeafId = path[kept - 1]?.body.id ?? null;
  tree.clock++;
  return path.slice(kept);
}

/** @throws {InvalidArgumentError} */
export function stepCount(count: number): number {
  if (count >= 0 && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) return count;
  throw new InvalidArgumentError(`The number of steps is a whole number from 0, not ${count}.`);
}

export function pinIn(tree: SessionTree, id: string, pinned: boolean): void {
  requireRecord(tree, id);
  change(tree, id, { pinned });
}

export function labelIn(tree: SessionTree, id: string, label: string | null): void {
  requireRecord(tree, id);
  change(tree, id, { label: storableLabel(label) });
}

export function clearTree(tree: SessionTree): void {
  for (const map of [tree.records, tree.overlays, tree.deletions]) map.clear();
  tree.skillsBeforeMessages = [];
  tree.activeLeafId = null;
  tree.clock++;
}

/** @throws {MessageNotFoundError} when the message is unknown or deleted. */
export function requireRecord(tree: SessionTree, id: string): TreeRecord {
  const record = liveRecord(tree, id);
  if (!record) throw new MessageNotFoundError(id);
  return record;
}

export function change(tree: SessionTree, id: string, changes: Partial<TreeRecord>): void {
  const record = tree.records.get(id);
  if (record) tree.records.set(id, { ...record, ...changes });
}

/** In characters: more would not fit on a line of the tree. */
const maxLabelLength = 80;

/** Normalizes a label: one trimmed line; `null` for none. @throws {InvalidArgumentError} when too long. */
export function storableLabel(label: string | null): string | null {
  const line = (label ?? "").replace(/\s+/gu, " ").trim();
  if ([...line].length > maxLabelLength) {
    throw new InvalidArgumentError(`A label has at most ${maxLabelLength} characters.`);
  }
  return line === "" ? null : line;
}
