"use client";

import { errorSentence } from "@/app/_api/api-error";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useDeleteMessages, useRestoreMessages } from "./use-messages";

export interface MessageRemovalOptions {
  readonly sessionId: string;
  readonly onRemoved: (messageIds: readonly string[]) => void;
}

/** Deletes one message, so that the path closes over it, and offers undo. */
export function useMessageRemoval({ sessionId, onRemoved }: MessageRemovalOptions) {
  const deletion = useDeleteMessages(sessionId);
  const restoring = useRestoreMessages(sessionId);

  function restore(deletionId: string) {
    restoring.mutate(deletionId, {
      onError: (error) => toastError(errorSentence(error), () => restore(deletionId)),
    });
  }

  return function remove({ message }: EntryWire) {
    deletion.mutate(
      { ids: [message.id] },
      {
        onSuccess: ({ deletionId, messageIds }) => {
          onRemoved(messageIds);
          toastUndo("Message deleted.", () => restore(deletionId));
        },
        onError: (error) => toastError(errorSentence(error)),
      },
    );
  };
}
