import type { TreeNodeWire, TreeWire } from "@/lib/chat/wire/branches";

/** Messages are counted from 1 at the root. */
export interface PathCompaction {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly preview: string;
  /** Undoing the later compaction that covers this one reveals it. */
  readonly isCovered: boolean;
}

/** Only those whose whole range lies on the path, oldest first. */
export function pathCompactions(tree: TreeWire, leafId: string | null): PathCompaction[] {
  const path = pathTo(tree.nodes, leafId);
  const places = new Map(path.map((node, index) => [node.id, index]));
  const onPath = tree.compactions.flatMap(({ id, fromMessageId, toMessageId }) => {
    const from = places.get(fromMessageId);
    const to = places.get(toMessageId);
    if (from === undefined || to === undefined || from > to) return [];
    return [{ id, first: from + 1, last: to + 1, preview: path[from]?.preview ?? "" }];
  });
  return onPath.map((each, index) => ({
    ...each,
    isCovered: onPath
      .slice(index + 1)
      .some((later) => later.first <= each.first && later.last >= each.last),
  }));
}

/** Root first; empty for an unknown leaf. */
function pathTo(nodes: readonly TreeNodeWire[], leafId: string | null): TreeNodeWire[] {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const path: TreeNodeWire[] = [];
  let node = leafId === null ? undefined : nodesById.get(leafId);
  while (node) {
    path.push(node);
    node = node.parentId === null ? undefined : nodesById.get(node.parentId);
  }
  return path.reverse();
}
