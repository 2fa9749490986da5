"use client";

import { useUndoCompaction } from "@/app/_data/compaction/use-compactions";
import { useTree } from "@/app/_data/tree/use-tree";
import { Button } from "@/app/_ui/button";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { TreeNodeWire, TreeWire } from "@/lib/chat/wire/branches";

export interface CompactionListProps {
  sessionId: string;
  leafId: string | null | undefined;
}

export function CompactionList({ sessionId, leafId }: CompactionListProps) {
  const { data: tree } = useTree(sessionId);
  const readsOnly = useReadsOnly();
  const { undo, isUndoing } = useUndoCompaction(sessionId);
  if (!tree) return null;
  const compactions = pathCompactions(
    tree,
    leafId === undefined ? tree.activeLeafId : leafId,
  ).toReversed();
  if (compactions.length === 0) {
    return <p className="text-faint text-sm">Nothing on this branch has been summarized.</p>;
  }
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
      {compactions.map((compaction) => (
        <li key={compaction.id} className="flex items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <p className="font-medium text-sm">{rangeWords(compaction)}</p>
            <p className="truncate text-faint text-xs">
              {compaction.isCovered ? (
                "Included in a later summary"
              ) : (
                <>
                  From <q dir="auto">{compaction.preview}</q>
                </>
              )}
            </p>
          </div>
          {!compaction.isCovered && !readsOnly && (
            <Button
              size="sm"
              variant="ghost"
              busy={isUndoing}
              aria-label={`Undo summary of ${rangeWords(compaction).toLowerCase()}`}
              onClick={() => undo(compaction.id)}
            >
              Undo
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function rangeWords({ first, last }: PathCompaction): string {
  return first === last ? `Message ${first}` : `Messages ${first}–${last}`;
}

interface PathCompaction {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly preview: string;
  readonly isCovered: boolean;
}

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
