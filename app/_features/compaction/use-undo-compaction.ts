"use client";

import { errorSentence } from "@/app/_api/api-error";
import { toastError, toastUndo } from "@/app/_ui/toast";
import { useDeleteCompaction, useRestoreCompaction } from "./use-compactions";

/** Removes a summary and offers to restore it. */
export function useUndoCompaction(sessionId: string, onChanged?: () => void) {
  const deletion = useDeleteCompaction(sessionId);
  const restoring = useRestoreCompaction(sessionId);

  function putBack(id: string) {
    restoring.mutate(id, {
      onSuccess: () => onChanged?.(),
      onError: (error) => toastError(errorSentence(error), () => putBack(id)),
    });
  }

  // Awaited, because the row is unmounted before the response.
  async function undo(id: string) {
    try {
      await deletion.mutateAsync(id);
      toastUndo("Summary undone. Original messages restored.", () => putBack(id));
      onChanged?.();
    } catch (error) {
      toastError(errorSentence(error), () => void undo(id));
    }
  }

  return { undo: (id: string) => void undo(id), isUndoing: deletion.isPending };
}
