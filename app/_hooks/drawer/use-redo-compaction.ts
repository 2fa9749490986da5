"use client";

import { useMutation } from "@tanstack/react-query";
import {
  useCompact,
  useDeleteCompaction,
  useRestoreCompaction,
} from "@/app/_hooks/api/use-compactions";
import type { CompactionWire } from "@/lib/chat/wire";

export interface Redo {
  compactionId: string;
  leafId: string;
  focus: string;
}

/** Writes a summary anew with something to look after. When that fails the old one is put back. */
export function useRedoCompaction(sessionId: string) {
  const deletion = useDeleteCompaction(sessionId);
  const compacting = useCompact(sessionId);
  const restoring = useRestoreCompaction(sessionId);
  return useMutation({
    mutationFn: async ({ compactionId, leafId, focus }: Redo): Promise<CompactionWire> => {
      await deletion.mutateAsync(compactionId);
      try {
        return await compacting.mutateAsync({ leafId, ...(focus === "" ? {} : { focus }) });
      } catch (error) {
        await restoring.mutateAsync(compactionId);
        throw error;
      }
    },
  });
}
