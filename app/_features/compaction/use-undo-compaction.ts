"use client";

import { errorSentence } from "@/app/_api/api-error";
import { toastError, toastUndo } from "@/app/_ui/toast";
import { useDeleteCompaction, useRestoreCompaction } from "./use-compactions";

/** Takes a summary away, so that what it stood for shows again, and offers to put it back. */
export function useUndoCompaction(sessionId: string, onChanged?: () => void) {
  const deletion = useDeleteCompaction(sessionId);
  const restoring = useRestoreCompaction(sessionId);

  function putBack(id: string) {
    restoring.mutate(id, {
      onSuccess: () => onChanged?.(),
      onError: (error) => toastError(errorSentence(error), () => putBack(id)),
    });
  }

  // Awaited rather than given as callbacks: the seam is gone from the page before the answer is handled.
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
