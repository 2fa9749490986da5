import { groupBy } from "../group-by";
import type { DeleteMessagesOptions } from "../session-provider";
import type { SessionTree, TreeRecord } from "./session-tree";

export function liveRecord(tree: SessionTree, id: string | null): TreeRecord | null {
  const record = id === null ? undefined : tree.records.get(id);
  return record && record.deletionId === null ? record : null;
}

/** In append order: parents before children, siblings oldest first. */
export function liveRecords(tree: SessionTree): TreeRecord[] {
  return [...tree.records.values()].filter((record) => record.deletionId === null);
}

export function survivingParent(tree: SessionTree, record: TreeRecord): TreeRecord | null {
  let parent = parentOf(tree, record);
  while (parent && parent.deletionId !== null) parent = parentOf(tree, parent);
  return parent ?? null;
}

/** Includes deleted messages, since summaries and positions refer to them. `[]` for an unknown id. */
export function pathWithDeleted(tree: SessionTree, leafId: string | null): TreeRecord[] {
  const path: TreeRecord[] = [];
  let record = liveRecord(tree, leafId) ?? undefined;
  while (record) {
    path.push(record);
    record = record.parentId === null ? undefined : tree.records.get(record.parentId);
  }
  return path.reverse();
}

/** Oldest first; the roots under `null`. */
export function childrenByParent(tree: SessionTree): Map<string | null, TreeRecord[]> {
  return groupBy(liveRecords(tree), (record) => survivingParent(tree, record)?.body.id ?? null);
}

export function leavesOf(tree: SessionTree): TreeRecord[] {
  const children = childrenByParent(tree);
  return liveRecords(tree).filter((record) => !children.has(record.body.id));
}

export function leafUnder(tree: SessionTree, top: TreeRecord): TreeRecord {
  const children = childrenByParent(tree);
  const uses = usesById(tree);
  const usedAt = (record: TreeRecord) => uses.get(record.body.id) ?? 0;
  const pending = [top];
  let latest: TreeRecord | null = null;
  for (let record = pending.pop(); record; record = pending.pop()) {
    const below = children.get(record.body.id);
    if (below) pending.push(...below);
    else if (!latest || usedAt(record) > usedAt(latest)) latest = record;
  }
  return latest ?? top;
}

export function leavesByUse(tree: SessionTree): TreeRecord[] {
  const uses = usesById(tree);
  const usedAt = (record: TreeRecord) => uses.get(record.body.id) ?? 0;
  return leavesOf(tree).sort((first, second) => usedAt(first) - usedAt(second));
}

function usesById(tree: SessionTree): Map<string, number> {
  const uses = new Map<string, number>();
  for (const record of tree.records.values()) {
    const survivor = record.deletionId === null ? record : survivingParent(tree, record);
    if (!survivor) continue;
    const { id } = survivor.body;
    uses.set(id, Math.max(uses.get(id) ?? 0, record.usedAt));
  }
  return uses;
}

export function leafAfterDeletion(
  tree: SessionTree,
  deletionId: string,
  continueAt: NonNullable<DeleteMessagesOptions["continueAt"]>,
): string | null {
  const active = tree.activeLeafId === null ? undefined : tree.records.get(tree.activeLeafId);
  if (!active || active.deletionId === null) return tree.activeLeafId;
  const top = topOfDeletion(tree, deletionId, active);
  const parent = survivingParent(tree, top);
  const isAtParent = continueAt === "parent" && parent !== null;
  const sibling = isAtParent ? undefined : nearestSibling(tree, { top, parent });
  return (sibling ? leafUnder(tree, sibling) : parent)?.body.id ?? null;
}

/** The first message of the path that the deletion took: earlier deletions have closed their gaps. */
function topOfDeletion(tree: SessionTree, deletionId: string, active: TreeRecord): TreeRecord {
  let top = active;
  for (
    let above = parentOf(tree, top);
    above && above.deletionId !== null;
    above = parentOf(tree, above)
  )
    if (above.deletionId === deletionId) top = above;
  return top;
}

function parentOf(tree: SessionTree, { parentId }: TreeRecord): TreeRecord | undefined {
  return parentId === null ? undefined : tree.records.get(parentId);
}

function nearestSibling(
  tree: SessionTree,
  { top, parent }: { top: TreeRecord; parent: TreeRecord | null },
): TreeRecord | undefined {
  const ages = new Map([...tree.records.keys()].map((id, age) => [id, age]));
  const ageOf = ({ body }: TreeRecord) => ages.get(body.id) ?? 0;
  const siblings = childrenByParent(tree).get(parent?.body.id ?? null) ?? [];
  return (
    siblings.findLast((sibling) => ageOf(sibling) < ageOf(top)) ??
    siblings.find((sibling) => ageOf(sibling) > ageOf(top))
  );
}
