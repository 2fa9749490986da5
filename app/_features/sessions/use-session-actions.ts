"use client";

import { useRouter } from "next/navigation";
import { toastError } from "@/app/_api/toast-error";
import {
  type SessionChange,
  useChangeSession,
  useDeleteSession,
  useRestoreSession,
} from "@/app/_data/sessions/use-session-mutations";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { toastDone, toastUndo } from "@/app/_ui/toast";
import type { SessionWire } from "@/lib/chat/wire/sessions";

export function useSessionActions() {
  const router = useRouter();
  const openId = useOpenSessionId();
  const { mutateAsync: change } = useChangeSession();
  const { mutateAsync: remove } = useDeleteSession();
  const { mutateAsync: restore } = useRestoreSession();

  const showDeleted = () => router.push("/settings?section=deleted");
  const apply = (session: SessionWire, changes: SessionChange) =>
    change({ id: session.id, ...changes }).catch(toastError);

  return {
    rename: (session: SessionWire, title: string) => void apply(session, { title }),
    setTags: (session: SessionWire, tags: string[]) => void apply(session, { tags }),
    setPinned: (session: SessionWire, pinned: boolean) => void apply(session, { pinned }),
    setArchived: (session: SessionWire, archived: boolean) => {
      const undo = () => void apply(session, { archived: !archived });
      void change({ id: session.id, archived })
        .then(() => toastUndo(archived ? "Chat archived" : "Chat unarchived", undo))
        .catch(toastError);
    },
    remove: (session: SessionWire) => {
      const undo = () =>
        void restore(session)
          .then(() => toastDone("Chat restored"))
          .catch(toastError);
      if (session.id === openId) router.push("/");
      void remove(session)
        .then(() =>
          toastUndo("Chat deleted", undo, { label: "Deleted chats", onClick: showDeleted }),
        )
        .catch(toastError);
    },
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;
