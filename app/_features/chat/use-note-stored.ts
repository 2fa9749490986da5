"use client";

import { errorSentence } from "@/app/_api/api-error";
import { toastError, toastUndo } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { putBack } from "./put-back";
import type { ChatSession } from "./use-chat-session";
import { useDeleteMessages } from "./use-messages";

/** Goes to a note that was just stored, with the question that was to follow it, and offers to take it back. */
export function useNoteStored(
  session: ChatSession,
): (entry: EntryWire, question: string | undefined) => void {
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

  return (entry, question) => {
    session.showStored(entry);
    if (question !== undefined) putBack(session.sessionId, question);
    toastUndo("Context carried over.", () => takeBack(entry.message.id));
  };
}
