"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import { carryUnsent, carryUnsentBack } from "@/app/_data/chat/move-unsent";
import { pageSpace } from "@/app/_ui/page-space";
import type { changeSessionRequest, forkRequest, SessionWire } from "@/lib/chat/wire/sessions";
import { changeStoredSession, forgetSession, storedSession, storeSession } from "./session-cache";
import { deletingKey, stopReading } from "./session-events";

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

export function useDeleteSession() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletingKey,
    mutationFn: (session: SessionWire) =>
      api("DELETE /api/sessions/:sessionId", {
        params: { sessionId: session.id },
        query: { deletionId: crypto.randomUUID() },
      }),
    onMutate: (session) => {
      forgetSession(client, session.id);
      return stopReading(client, session.id);
    },
    onError: (_error, session) => storeSession(client, session),
  });
}

export function useRestoreSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (session: SessionWire) =>
      api("POST /api/sessions/:sessionId/restore", { params: { sessionId: session.id } }),
    onSuccess: (_answer, session) => {
      storeSession(client, session);
      return client.invalidateQueries({ queryKey: queryKeys.session(session.id) });
    },
  });
}

export function useMoveSession() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletingKey,
    mutationFn: ({ session, space }: MovedSession) =>
      api("POST /api/sessions/:sessionId/move", {
        params: { sessionId: session.id },
        body: { space },
      }),
    onMutate: ({ session }) => {
      forgetSession(client, session.id);
      return stopReading(client, session.id);
    },
    onError: (_error, { session }) => storeSession(client, session),
    onSuccess: (_moved, { session, space }) => carryUnsent(session.id, space),
  });
}

interface MovedSession {
  readonly session: SessionWire;
  readonly space: string | null;
}

export function useMoveSessionBack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ session, space }: MovedSession) =>
      api("POST /api/sessions/:sessionId/move", {
        params: { sessionId: session.id },
        body: { space: pageSpace },
        space,
      }),
    onSuccess: (moved, { space }) => {
      carryUnsentBack(moved.id, space);
      storeSession(client, moved);
      return client.invalidateQueries({ queryKey: queryKeys.session(moved.id) });
    },
  });
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
