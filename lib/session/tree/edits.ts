import {
  DeletionConflictError,
  DeletionNotFoundError,
  InvalidArgumentError,
  MessageNotFoundError,
} from "../errors";
import type { SessionMessage } from "../message";
import type { ChangedDeletion, DeleteMessagesOptions, TreeNode } from "../session-provider";
import { assertId, assertStorable, toStoredBody } from "../stored-body";
import {
  childrenByParent,
  leafAfterDeletion,
  liveRecord,
  liveRecords,
  pathWithDeleted,
  survivingParent,
} from "./paths";
import type { SessionTree, TreeRecord } from "./session-tree";

/** False when the body was the same. */
export function updateIn(tree: SessionTree, message: SessionMessage): boolean {
  assertStorable(message);
  const { body } = requireRecord(tree, message.id);
  const { parts, metadata, extra } = toStoredBody(message, body.createdAt);
  const isSame = parts === body.parts && metadata === body.metadata && extra === body.extra;
  if (!isSame) change(tree, message.id, { body: { ...body, parts, metadata, extra } });
  return !isSame;
}

/** Parent pointers stay, so that restoring is exact. */
export function deleteFrom(
  tree: SessionTree,
  ids: readonly string[],
  {
    deletionId = crypto.randomUUID(),
    withDescendants: isWhole = false,
    continueAt = "sibling",
  }: DeleteMessagesOptions = {},
): ChangedDeletion {
  assertId(deletionId, "deletion");
  const named = [...new Set(ids)].sort();
  const noted = tree.deletions.get(deletionId);
  if (noted && noted.named.join("\n") !== named.join("\n"))
    throw new DeletionConflictError(deletionId);
  if (noted) return deletionOf(tree, noted.sameAs ?? deletionId);

  const all = isWhole ? withDescendants(childOrder(tree), ids) : ids;
  const messageIds = [...new Set(all)].filter((id) => liveRecord(tree, id));
  const leafBefore = tree.activeLeafId;
  if (messageIds.length === 0) {
    const earlier = new Set(named.flatMap((id) => tree.records.get(id)?.deletionId ?? []));
    const sameAs = earlier.size === 1 ? ([...earlier][0] ?? null) : null;
    tree.deletions.set(deletionId, {
      named,
      messageIds,
      sameAs,
      leafBefore,
      leafAfter: leafBefore,
    });
    return deletionOf(tree, sameAs ?? deletionId);
  }
  for (const id of messageIds) change(tree, id, { deletionId });
  tree.activeLeafId = leafAfterDeletion(tree, deletionId, continueAt);
  tree.clock++;
  const leafAfter = tree.activeLeafId;
  tree.deletions.set(deletionId, { named, messageIds, sameAs: null, leafBefore, leafAfter });
  return { ...deletionOf(tree, deletionId), changed: true };
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

function childOrder(tree: SessionTree): Pick<TreeNode, "id" | "parentId">[] {
  return liveRecords(tree).map((record) => ({
    id: record.body.id,
    parentId: survivingParent(tree, record)?.body.id ?? null,
  }));
}

function deletionOf(tree: SessionTree, deletionId: string): ChangedDeletion {
  const { messageIds = [] } = tree.deletions.get(deletionId) ?? {};
  return { deletionId, messageIds, changed: false };
}

/** The leaf of a restored deletion becomes active again unless another has since. False when restored before. */
export function restoreIn(tree: SessionTree, askedId: string): boolean {
  const deletionId = tree.deletions.get(askedId)?.sameAs ?? askedId;
  const deletion = tree.deletions.get(deletionId);
  if (!deletion) throw new DeletionNotFoundError(askedId);
  const gone = deletion.messageIds.filter((id) => tree.records.get(id)?.deletionId === deletionId);
  if (gone.length === 0) return false;
  for (const id of gone) change(tree, id, { deletionId: null });
  if (tree.activeLeafId === deletion.leafAfter && liveRecord(tree, deletion.leafBefore)) {
    tree.activeLeafId = deletion.leafBefore;
  }
  tree.clock++;
  return true;
}

export function activateIn(tree: SessionTree, id: string): void {
  requireRecord(tree, id);
  if (childrenByParent(tree).has(id)) tree.clock++;
  else for (const used of inPlaceOf(tree, id)) change(tree, used, { usedAt: ++tree.clock });
  tree.activeLeafId = id;
}

function inPlaceOf(tree: SessionTree, id: string): string[] {
  const isInPlace = (record: TreeRecord) =>
    record.body.id === id ||
    (record.deletionId !== null && survivingParent(tree, record)?.body.id === id);
  return [...tree.records.values()]
    .filter(isInPlace)
    .sort((first, second) => first.usedAt - second.usedAt)
    .map(({ body }) => body.id);
}

/** Root-most first. Past the first message no leaf is active. */
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

export function stepCount(count: number): number {
  if (count >= 0 && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) return count;
  throw new InvalidArgumentError(`The number of steps is a whole number from 0, not ${count}.`);
}

/** A name is part of its bookmark: it makes one, and goes with it. */
export function pinIn(tree: SessionTree, id: string, pinned: boolean): void {
  requireRecord(tree, id);
  change(tree, id, pinned ? { pinned } : { pinned, label: null });
}

export function labelIn(tree: SessionTree, id: string, label: string | null): void {
  requireRecord(tree, id);
  const line = storableLabel(label);
  change(tree, id, line === null ? { label: null } : { label: line, pinned: true });
}

export function clearTree(tree: SessionTree): void {
  for (const map of [tree.records, tree.overlays, tree.deletions]) map.clear();
  tree.skillsBeforeMessages = [];
  tree.activeLeafId = null;
  tree.clock++;
}

export function requireRecord(tree: SessionTree, id: string): TreeRecord {
  const record = liveRecord(tree, id);
  if (!record) throw new MessageNotFoundError(id);
  return record;
}

export function change(tree: SessionTree, id: string, changes: Partial<TreeRecord>): void {
  const record = tree.records.get(id);
  if (record) tree.records.set(id, { ...record, ...changes });
}

/** Fits on a line of the tree. */
const maxLabelLength = 80;

export function storableLabel(label: string | null): string | null {
  const line = (label ?? "").replace(/\s+/gu, " ").trim();
  if ([...line].length > maxLabelLength) {
    throw new InvalidArgumentError(`A label has at most ${maxLabelLength} characters.`);
  }
  return line === "" ? null : line;
}
