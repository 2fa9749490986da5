import type { TreeNodeWire, TreeWire } from "@/lib/chat/wire/branches";

export type TreeCompaction = TreeWire["compactions"][number];

export type TreeItem =
  | { readonly kind: "message"; readonly id: string; readonly node: TreeNodeWire }
  | {
      readonly kind: "compaction";
      readonly id: string;
      readonly compaction: TreeCompaction;
      readonly messageCount: number;
    }
  | CallsItem;

/** A run of answers that only call tools. */
export interface CallsItem {
  readonly kind: "calls";
  readonly id: string;
  readonly nodes: readonly TreeNodeWire[];
}

export interface PlacedItem {
  readonly item: TreeItem;
  readonly parentId: string | null;
  readonly isContext?: boolean;
}

/** A prefix keeps it from equalling a message id. */
export function compactionItemId(compactionId: string): string {
  return `compaction_${compactionId}`;
}

/**
 * Keeps the order of `nodes`. A compaction follows the last message it covers, and is dropped without it. A message
 * with an unknown parent becomes a root.
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
