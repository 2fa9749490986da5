import type { TreeNodeWire, TreeWire } from "@/lib/chat/wire/branches";

export type TreeCompaction = TreeWire["compactions"][number];

/** One line of the tree panel before it is laid out: a message, or a compaction that follows the last message it covers. */
export type TreeItem =
  | { readonly kind: "message"; readonly id: string; readonly node: TreeNodeWire }
  | {
      readonly kind: "compaction";
      readonly id: string;
      readonly compaction: TreeCompaction;
      /** Stored messages in its range, both ends included. */
      readonly messageCount: number;
    };

/** An item with the item it hangs under; `null` for a root. */
export interface PlacedItem {
  readonly item: TreeItem;
  readonly parentId: string | null;
  /** It does not match itself and is there because paths to matches part under it. */
  readonly isContext?: boolean;
}

/** The row id of a compaction, so that it can never be taken for a message. */
export function compactionItemId(compactionId: string): string {
  return `compaction_${compactionId}`;
}

/**
 * Messages and compactions as one tree, in the order of `nodes`.
 *
 * A compaction stands between the last message it covers and everything that continues it, because it applies on every
 * path through that message. One whose last message is not there is left out. A message whose parent is not there is a
 * root, so nothing is ever hidden by an incomplete list.
 */
export function treeItems(
  nodes: readonly TreeNodeWire[],
  compactions: readonly TreeCompaction[],
): PlacedItem[] {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const compactionsByEnd = groupByEnd(compactions);
  return nodes.flatMap((node) => [
    placeMessage(node, nodesById, compactionsByEnd),
    ...placeCompactions(node.id, nodesById, compactionsByEnd),
  ]);
}

type NodesById = ReadonlyMap<string, TreeNodeWire>;
type CompactionsByEnd = ReadonlyMap<string, readonly TreeCompaction[]>;

function groupByEnd(compactions: readonly TreeCompaction[]): CompactionsByEnd {
  return Map.groupBy(compactions, (compaction) => compaction.toMessageId);
}

function placeMessage(
  node: TreeNodeWire,
  nodesById: NodesById,
  compactionsByEnd: CompactionsByEnd,
): PlacedItem {
  const item: TreeItem = { kind: "message", id: node.id, node };
  if (node.parentId === null || !nodesById.has(node.parentId)) return { item, parentId: null };
  const summary = compactionsByEnd.get(node.parentId)?.at(-1);
  return { item, parentId: summary ? compactionItemId(summary.id) : node.parentId };
}

function placeCompactions(
  messageId: string,
  nodesById: NodesById,
  compactionsByEnd: CompactionsByEnd,
): PlacedItem[] {
  let parentId = messageId;
  return (compactionsByEnd.get(messageId) ?? []).map((compaction) => {
    const item: TreeItem = {
      kind: "compaction",
      id: compactionItemId(compaction.id),
      compaction,
      messageCount: countRange(compaction, nodesById),
    };
    const placed = { item, parentId };
    parentId = item.id;
    return placed;
  });
}

function countRange(compaction: TreeCompaction, nodesById: NodesById): number {
  let count = 1;
  let current = nodesById.get(compaction.toMessageId);
  while (current?.parentId && current.id !== compaction.fromMessageId) {
    current = nodesById.get(current.parentId);
    count += 1;
  }
  return count;
}
