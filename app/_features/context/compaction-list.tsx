"use client";

import { useUndoCompaction } from "@/app/_features/compaction/use-compactions";
import { useTree } from "@/app/_features/tree/use-tree";
import { Button } from "@/app/_ui/button";
import { type PathCompaction, pathCompactions } from "./path-compactions";

export interface CompactionListProps {
  sessionId: string;
  leafId: string | null | undefined;
}

/** Summaries on this path, newest first. */
export function CompactionList({ sessionId, leafId }: CompactionListProps) {
  const { data: tree } = useTree(sessionId);
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
          {!compaction.isCovered && (
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
