"use client";

import { useQueryClient } from "@tanstack/react-query";
import { countOf } from "@/app/_components/drawer/format-amount";
import { toastUndo } from "@/app/_components/ui/toast";
import { queryKeys } from "@/app/_hooks/api/query-keys";
import { summaryStore } from "@/app/_hooks/chat/summary-store";
import type { SummaryWish } from "@/app/_hooks/chat/summary-writing";
import { useUndoCompaction } from "./use-undo-compaction";

/** Has a summary written, which is watched in the transcript, and offers to undo it once it is there. */
export function useCompacting(sessionId: string) {
  const client = useQueryClient();
  const { undo } = useUndoCompaction(sessionId);

  return async function compact(wish: Omit<SummaryWish, "sessionId">): Promise<void> {
    const compaction = await summaryStore.start({ sessionId, ...wish });
    if (!compaction) return;
    await client.invalidateQueries({ queryKey: queryKeys.session(sessionId) });
    const folded = countOf(compaction.messageCount, "message");
    const sentence =
      wish.replaces === null ? `${folded} folded into a summary.` : "The summary was written anew.";
    toastUndo(sentence, () => undo(compaction.id));
  };
}
