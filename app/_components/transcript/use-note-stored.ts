"use client";

import { toastError, toastUndo } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useDeleteMessages } from "@/app/_hooks/api/use-messages";
import type { ChatSession } from "@/app/_hooks/chat/use-chat-session";
import type { EntryWire } from "@/lib/chat/wire/messages";

/** Puts a note that was just stored at the end of the path, and offers to take it back. */
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
    toastUndo("Brought along.", () => takeBack(entry.message.id));
  };
}
