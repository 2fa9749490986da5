"use client";

import { errorSentence } from "@/app/_api/api-error";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { ChatSession } from "./use-chat-session";
import { useDeleteMessages } from "./use-messages";

/** Appends a stored note to the path and offers undo. */
export function useNoteStored(session: ChatSession): (entry: EntryWire) => void {
  const deletion = useDeleteMessages(session.sessionId);

  function takeBack(messageId: string) {
    deletion.mutate(
      { ids: [messageId] },
      {
        onSuccess: ({ messageIds }) => session.forget(messageIds),
        onError: (error) => toastError(errorSentence(error), () => takeBack(messageId)),
      },
    );
  }

  return (entry) => {
    session.showStored(entry);
    toastUndo("Context carried over.", () => takeBack(entry.message.id));
  };
}
