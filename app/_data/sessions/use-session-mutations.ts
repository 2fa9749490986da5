"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { carryUnsent, carryUnsentBack } from "@/app/_data/chat/move-unsent";
import type {
  ChangedSessionsWire,
  changeSessionRequest,
  forkRequest,
  OneChange,
  SessionWire,
} from "@/lib/chat/wire/sessions";
import { changeStoredSession, forgetSession, storedSession, storeSession } from "./session-cache";
import { deletingKey, leavesList, returnsToList, stopReading } from "./session-events";

export type SessionChange = z.input<typeof changeSessionRequest>;

export function useChangeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: SessionChange & { id: string }) =>
      api("PATCH /api/sessions/:sessionId", { params: { sessionId: id }, body: change }),
    onMutate: ({ id, activeLeafId: _, ...change }) => {
      const before = storedSession(client, id);
      const known = Object.fromEntries(
        Object.entries(change).filter(([, value]) => value !== undefined),
      ) as Partial<SessionWire>;
      if (before && "archived" in known) storeSession(client, { ...before, ...known });
      else changeStoredSession(client, id, (session) => ({ ...session, ...known }));
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before) storeSession(client, context.before);
    },
    onSuccess: (session, { tags }) => {
      storeSession(client, session);
      if (tags) void client.invalidateQueries({ queryKey: queryKeys.tags });
      return client.invalidateQueries({ queryKey: queryKeys.sessionDetail(session.id) });
    },
  });
}

interface ChangedTogether {
  readonly sessions: readonly SessionWire[];
  readonly changes: readonly OneChange[];
  /** Default: that of the page. */
  readonly from?: string | null;
}

/** Chats of a list in one request for each hundred. Resolves with a failure for each that stayed as it was. */
export function useChangeSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletingKey,
    async mutationFn({ changes, from }: ChangedTogether) {
      const results: ChangedSessionsWire["results"][number][] = [];
      for (let at = 0; at < changes.length; at += mostTogether)
        results.push(...(await changed(changes.slice(at, at + mostTogether), from)));
      return results;
    },
    async onMutate({ sessions, changes }) {
      for (const [at, change] of changes.entries()) {
        const session = sessions[at];
        if (leavesList(change)) forgetSession(client, change.id);
        else if (session && "archived" in change) storeSession(client, { ...session, ...change });
        else if ("tags" in change)
          changeStoredSession(client, change.id, (now) => ({ ...now, ...change }));
      }
      await Promise.all(changes.filter(leavesList).map(({ id }) => stopReading(client, id)));
    },
    onSuccess(results, { sessions, changes, from }) {
      for (const [at, change] of changes.entries()) {
        const result = results[at];
        const session = sessions[at];
        if (!result || !session) continue;
        if ("error" in result) {
          const wasHere = from === undefined && !("isRestored" in change);
          if (wasHere) storeSession(client, session);
        } else if ("space" in change && from === undefined) carryUnsent(change.id, change.space);
        else if (result.session) {
          if (from !== undefined) carryUnsentBack(change.id, from);
          storeSession(client, result.session);
          void client.invalidateQueries({ queryKey: queryKeys.session(change.id) });
        }
      }
      const failed = results.some((result) => "error" in result);
      // One that was last of the read pages has no place among what they still hold, nor after their cursor.
      if (failed || from !== undefined || changes.some(returnsToList))
        void client.invalidateQueries({ queryKey: queryKeys.sessionLists });
      if (changes.some((change) => "tags" in change))
        void client.invalidateQueries({ queryKey: queryKeys.tags });
    },
  });
}

const mostTogether = 100;

/** Asked once more without an answer: a repeated change says what became of it. */
async function changed(
  changes: readonly OneChange[],
  space: string | null | undefined,
): Promise<ChangedSessionsWire["results"]> {
  const ask = () =>
    api("PATCH /api/sessions", {
      body: { changes: [...changes] },
      ...(space !== undefined && { space }),
    });
  try {
    return (await ask().catch(ask)).results;
  } catch (error) {
    const failed = { error: { code: "unanswered", message: errorSentence(error) } };
    return changes.map(() => failed);
  }
}

export function useForkSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ sessionId, ...body }: z.input<typeof forkRequest> & { sessionId: string }) =>
      api("POST /api/sessions/:sessionId/fork", { params: { sessionId }, body }),
    onSuccess: (fork, { sessionId }) => {
      storeSession(client, fork);
      return client.invalidateQueries({ queryKey: queryKeys.sessionDetail(sessionId) });
    },
  });
}

export function useRestoreExample() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api("POST /api/example"),
    onSuccess: (session) => {
      storeSession(client, session);
      return client.invalidateQueries({ queryKey: queryKeys.settings });
    },
  });
}
