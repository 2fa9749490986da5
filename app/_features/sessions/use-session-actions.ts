"use client";

import { useRouter } from "next/navigation";
import { errorSentence } from "@/app/_api/api-error";
import { toastError } from "@/app/_api/toast-error";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import {
  type SessionChange,
  useChangeSession,
  useDeleteSession,
  useMoveSession,
  useMoveSessionBack,
  useRestoreSession,
} from "@/app/_data/sessions/use-session-mutations";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { isolated } from "@/app/_ui/isolated";
import { inSpace } from "@/app/_ui/page-space";
import { toastDone, toastUndo } from "@/app/_ui/toast";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { MoveTarget } from "./move-dialog";

type Sessions = readonly SessionWire[];

export function useSessionActions() {
  const router = useRouter();
  const openId = useOpenSessionId();
  const { mutateAsync: change } = useChangeSession();
  const { mutateAsync: remove } = useDeleteSession();
  const { mutateAsync: restore } = useRestoreSession();
  const { mutateAsync: move } = useMoveSession();
  const { mutateAsync: moveBack } = useMoveSessionBack();

  const showDeleted = () => router.push(inSpace("/settings?section=deleted"));
  const apply = (session: SessionWire, changes: SessionChange) =>
    change({ id: session.id, ...changes }).catch(toastError);
  const archive = (sessions: Sessions, archived: boolean) =>
    withEach(sessions, archived ? "archived" : "unarchived", ({ id }) => change({ id, archived }));

  return {
    rename: (session: SessionWire, title: string) => void apply(session, { title }),
    setPinned: (session: SessionWire, pinned: boolean) => void apply(session, { pinned }),
    async setTags(sessions: Sessions, tagsOf: (session: SessionWire) => string[]) {
      await withEach(sessions, "tagged", (session) =>
        change({ id: session.id, tags: tagsOf(session) }),
      );
    },
    async setArchived(sessions: Sessions, archived: boolean) {
      const done = await archive(sessions, archived);
      const undo = () => void archive(done, !archived);
      if (done.length > 0)
        toastUndo(`${chats(done)} ${archived ? "archived" : "unarchived"}`, undo);
    },
    async move(sessions: Sessions, { space, name }: MoveTarget) {
      const undo = async () => {
        const back = await withEach(done, "moved back", (session) => moveBack({ session, space }));
        if (back.length > 0) toastDone(`${chats(back)} moved back`);
      };
      if (sessions.some(({ id }) => id === openId)) router.push(inSpace("/"));
      const done = await withEach(sessions, "moved", (session) => move({ session, space }));
      const [only, ...others] = done;
      if (!only) return;
      const address = others.length === 0 ? sessionAddress(only.id, space) : inSpace("/", space);
      toastUndo(`${chats(done)} moved to ${isolated(name)}`, () => void undo(), {
        label: "Open",
        onClick: () => leaveDocument(address),
      });
    },
    async remove(sessions: Sessions) {
      const undo = async () => {
        const restored = await withEach(done, "restored", (session) => restore(session));
        if (restored.length > 0) toastDone(`${chats(restored)} restored`);
      };
      if (sessions.some(({ id }) => id === openId)) router.push(inSpace("/"));
      const done = await withEach(sessions, "deleted", (session) => remove(session));
      if (done.length > 0)
        toastUndo(`${chats(done)} deleted`, () => void undo(), {
          label: "Deleted chats",
          onClick: showDeleted,
        });
    },
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

function chats({ length }: Sessions): string {
  return length === 1 ? "Chat" : `${length} chats`;
}

const mostNamed = 3;

/** Returns the chats for which `act` succeeded, and names the others. */
async function withEach(
  sessions: Sessions,
  done: string,
  act: (session: SessionWire) => Promise<unknown>,
): Promise<Sessions> {
  const results = await Promise.allSettled(sessions.map(act));
  const reasons = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  const isDone = (_: SessionWire, at: number) => results[at]?.status === "fulfilled";
  const failed = sessions.filter((session, at) => !isDone(session, at));
  if (failed.length > 0) {
    const names = failed.slice(0, mostNamed).map((session) => `“${sessionTitle(session)}”`);
    const others = failed.length > mostNamed ? [`${failed.length - mostNamed} more`] : [];
    const named = [...names, ...others].join(", ");
    const [reason] = reasons;
    toastError(sessions.length === 1 ? reason : `Not ${done}: ${named}. ${errorSentence(reason)}`);
  }
  return sessions.filter(isDone);
}
