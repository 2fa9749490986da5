import { compactionIdOf } from "../compaction-message";
import { CompactionNotFoundError, CompactionRangeError, MessageNotFoundError } from "../errors";
import type { Compaction, CompactionMetadata } from "../session-provider";
import type { SessionTree, TreeOverlay } from "./session-tree";

interface NewCompaction {
  readonly summary: string;
  readonly fromId: string;
  readonly toId: string;
  readonly metadata?: CompactionMetadata | undefined;
}

export function addOverlay(
  tree: SessionTree,
  { summary, fromId, toId, metadata }: NewCompaction,
): Compaction {
  const fromMessageId = rangeEnd(tree, fromId, "fromMessageId");
  const toMessageId = rangeEnd(tree, toId, "toMessageId");
  if (!isAtOrAbove(tree, fromMessageId, toMessageId)) {
    throw new CompactionRangeError(fromMessageId, toMessageId);
  }
  const compaction: Compaction = {
    id: crypto.randomUUID(),
    summary,
    fromMessageId,
    toMessageId,
    createdAt: new Date(),
    ...(metadata && { metadata }),
  };
  tree.overlays.set(compaction.id, { compaction, order: ++tree.clock, removed: false });
  return compaction;
}

export function replaceOverlay(
  tree: SessionTree,
  id: string,
  { summary, metadata }: Pick<NewCompaction, "summary" | "metadata">,
): Compaction {
  const { fromMessageId, toMessageId } = requireOverlay(tree, id, { removed: false }).compaction;
  const added = addOverlay(tree, { summary, fromId: fromMessageId, toId: toMessageId, metadata });
  setRemoved(tree, id, { was: false });
  return added;
}

export function liveCompactions(tree: SessionTree): Compaction[] {
  return [...tree.overlays.values()]
    .filter(({ removed }) => !removed)
    .map(({ compaction }) => compaction);
}

export function setRemoved(tree: SessionTree, id: string, { was }: { was: boolean }): void {
  const overlay = requireOverlay(tree, id, { removed: was });
  tree.overlays.set(id, { ...overlay, removed: !was });
}

export function rewriteSummary(tree: SessionTree, id: string, summary: string): void {
  const overlay = requireOverlay(tree, id, { removed: false });
  tree.overlays.set(id, { ...overlay, compaction: { ...overlay.compaction, summary } });
}

function requireOverlay(
  tree: SessionTree,
  id: string,
  { removed }: { removed: boolean },
): TreeOverlay {
  const overlay = tree.overlays.get(id);
  if (overlay?.removed !== removed) throw new CompactionNotFoundError(id);
  return overlay;
}

function rangeEnd(tree: SessionTree, id: string, end: "fromMessageId" | "toMessageId"): string {
  const compactionId = compactionIdOf(id);
  if (compactionId !== null) {
    const overlay = tree.overlays.get(compactionId);
    if (overlay && !overlay.removed) return overlay.compaction[end];
  } else if (tree.records.get(id)?.deletionId === null) {
    return id;
  }
  throw new MessageNotFoundError(id);
}

function isAtOrAbove(tree: SessionTree, ancestorId: string, id: string): boolean {
  let record = tree.records.get(id);
  while (record && record.body.id !== ancestorId) {
    record = record.parentId === null ? undefined : tree.records.get(record.parentId);
  }
  return record !== undefined;
}
