"use client";

import { countOf } from "@/app/_components/drawer/format-amount";
import { toastUndo } from "@/app/_components/ui/toast";
import { ApiError } from "@/app/_hooks/api/api-error";
import { useCompact } from "@/app/_hooks/api/use-compactions";
import { useUndoCompaction } from "./use-undo-compaction";

/** Folds the older part of the path to a leaf into a summary, and offers to undo it. */
export function useCompacting(sessionId: string, leafId: string | null) {
  const compacting = useCompact(sessionId);
  const { undo } = useUndoCompaction(sessionId);

  /** Resolves when the summary is there; rejects with the reason while everything stays as it was. */
  async function compact(focus: string): Promise<void> {
    const compaction = await compacting.mutateAsync({
      ...(leafId === null ? {} : { leafId }),
      ...(focus.trim() === "" ? {} : { focus: focus.trim() }),
    });
    const folded = countOf(compaction.messageCount, "message");
    toastUndo(`${folded} folded into a summary.`, () => undo(compaction.id));
  }

  return {
    compact,
    isCompacting: compacting.isPending,
    startedAt: compacting.submittedAt,
    error: compacting.error,
    nothingToFold:
      compacting.error instanceof ApiError && compacting.error.code === "nothing-to-compact",
  };
}
