"use client";

import { useRouter } from "next/navigation";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import {
  type SessionChange,
  useChangeSession,
  useChangeSessions,
} from "@/app/_data/sessions/use-session-mutations";
import { useOpenSessionId } from "@/app/_data/sessions/use-sessions";
import { isolated } from "@/app/_ui/isolated";
import { inSpace, pageSpace } from "@/app/_ui/page-space";
import { toastDone, toastUndo } from "@/app/_ui/toast";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import type { OneChange, SessionWire } from "@/lib/chat/wire/sessions";
import type { MoveTarget } from "./move-dialog";

type Sessions = readonly SessionWire[];

export function useSessionActions() {
  const router = useRouter();
  const openId = useOpenSessionId();
  const { mutateAsync: change } = useChangeSession();
  const { mutateAsync: changeTogether } = useChangeSessions();

  const apply = (session: SessionWire, changes: SessionChange) =>
    change({ id: session.id, ...changes }).catch(toastError);

  /** Returns the chats that were changed, and names the others. */
  async function changeEach(
    sessions: Sessions,
    done: string,
    { to, from }: { to: (session: SessionWire) => OneChange; from?: string | null },
  ): Promise<Sessions> {
    const changes = sessions.map(to);
    const place = from === undefined ? {} : { from };
    const results = await changeTogether({ sessions, changes, ...place });
    const failures = results.map((result) => ("error" in result ? result.error.message : null));
    const failed = sessions.filter((_, at) => failures[at] !== null);
    const reason = failures.find((each) => each !== null);
    if (reason) toastError(sessions.length > 1 ? named(failed, done, reason) : reason);
    return sessions.filter((_, at) => failures[at] === null);
  }
  const archive = (sessions: Sessions, archived: boolean) =>
    changeEach(sessions, archived ? "archived" : "unarchived", {
      to: ({ id }) => ({ id, archived }),
    });

  return {
    rename: (session: SessionWire, title: string) => void apply(session, { title }),
    setPinned: (session: SessionWire, pinned: boolean) => void apply(session, { pinned }),
    async setTags(sessions: Sessions, tagsOf: (session: SessionWire) => string[]) {
      await changeEach(sessions, "tagged", {
        to: (session) => ({ id: session.id, tags: tagsOf(session) }),
      });
    },
    async setArchived(sessions: Sessions, archived: boolean) {
      const done = await archive(sessions, archived);
      const undo = () => void archive(done, !archived);
      if (done.length > 0)
        toastUndo(`${chats(done)} ${archived ? "archived" : "unarchived"}`, undo);
    },
    async move(sessions: Sessions, { space, name }: MoveTarget) {
      const undo = async () => {
        const to = ({ id }: SessionWire) => ({ id, space: pageSpace });
        const back = await changeEach(done, "moved back", { to, from: space });
        if (back.length > 0) toastDone(`${chats(back)} moved back`);
      };
      if (sessions.some(({ id }) => id === openId)) router.push(inSpace("/"));
      const done = await changeEach(sessions, "moved", { to: ({ id }) => ({ id, space }) });
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
        const to = ({ id }: SessionWire) => ({ id, isRestored: true as const });
        const restored = await changeEach(done, "restored", { to });
        if (restored.length > 0) toastDone(`${chats(restored)} restored`);
      };
      if (sessions.some(({ id }) => id === openId)) router.push(inSpace("/"));
      const to = ({ id }: SessionWire) => ({ id, deletionId: crypto.randomUUID() });
      const [done, shared] = await Promise.all([
        changeEach(sessions, "deleted", { to }),
        sharedChats(),
      ]);
      if (done.length === 0) return;
      const settings = (section: string) => () =>
        router.push(inSpace(`/settings?section=${section}`));
      if (done.some(({ id }) => shared.has(id)))
        toastUndo(`${chats(done)} deleted. ${stillShown(done)}`, () => void undo(), {
          label: "Links",
          onClick: settings("data"),
        });
      else
        toastUndo(`${chats(done)} deleted`, () => void undo(), {
          label: "Deleted chats",
          onClick: settings("deleted"),
        });
    },
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

function chats({ length }: Sessions): string {
  return length === 1 ? "Chat" : `${length} chats`;
}

/** Chats that a link shows. Without an answer the toast of a deletion says less, and the chat is deleted all the same. */
async function sharedChats(): Promise<ReadonlySet<string>> {
  const { shares } = await api("GET /api/shares").catch(() => ({ shares: [] }));
  const open = shares.filter(
    ({ isTakenDown, expiresAt }) =>
      !isTakenDown && (expiresAt === null || Date.parse(expiresAt) > Date.now()),
  );
  return new Set(open.map(({ sessionId }) => sessionId));
}

function stillShown({ length }: Sessions): string {
  return length === 1 ? "Its link still shows it." : "Links still show what was shared.";
}

const mostNamed = 3;

function named(failed: Sessions, done: string, reason: string): string {
  const names = failed.slice(0, mostNamed).map((session) => `“${sessionTitle(session)}”`);
  const others = failed.length > mostNamed ? [`${failed.length - mostNamed} more`] : [];
  return `Not ${done}: ${[...names, ...others].join(", ")}. ${reason}`;
}
