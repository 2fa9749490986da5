"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { rereadProposals } from "@/app/_features/memory/proposals/use-proposals";
import { rereadMemory } from "@/app/_features/memory/use-blocks";
import {
  changeStoredSession,
  forgetSession,
  storedSession,
  storeSession,
} from "@/app/_features/sessions/session-cache";
import type { EventWire } from "@/lib/chat/wire/events";
import { api, tabId } from "./api";
import { ApiError } from "./api-error";
import { queryKeys } from "./query-keys";
import { type ConnectionState, serverEvents } from "./server-events";

/** Mounted once, in the shell. */
export function useServerEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stop = serverEvents.subscribe((event) => follow(client, event));
    const stopReconnect = serverEvents.onReconnect(() => void client.invalidateQueries());
    return () => {
      stop();
      stopReconnect();
    };
  }, [client]);
}

/** `listener` always sees the latest props and state. */
export function useServerEvent(listener: (event: EventWire) => void): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => serverEvents.subscribe((event) => onEvent(event)), []);
}

export function useConnection(): ConnectionState {
  return useSyncExternalStore(
    serverEvents.subscribeState,
    serverEvents.state,
    () => "connecting" as const,
  );
}

function follow(client: QueryClient, event: EventWire): void {
  switch (event.type) {
    case "session-changed":
      void rereadSession(client, event.sessionId);
      return;
    case "session-removed":
      rereadTags(client, storedSession(client, event.sessionId)?.tags);
      forgetSession(client, event.sessionId);
      return;
    case "run-started":
      changeStoredSession(client, event.sessionId, (session) => ({ ...session, writing: true }));
      void client.invalidateQueries({ queryKey: queryKeys.transcripts(event.sessionId) });
      return;
    case "run-finished":
    case "summary-finished":
      void rereadSession(client, event.sessionId);
      return;
    case "summary-started":
      void client.invalidateQueries({ queryKey: queryKeys.transcripts(event.sessionId) });
      void client.invalidateQueries({ queryKey: queryKeys.compactionPreviews(event.sessionId) });
      return;
    case "memory-changed":
      // A tab that wrote has shown what it wrote.
      if (event.origin !== tabId) void rereadMemory(client);
      return;
    case "proposals-changed":
      void rereadProposals(client);
      return;
    case "settings-changed":
      void client.invalidateQueries({ queryKey: queryKeys.settings });
      void client.invalidateQueries({ queryKey: queryKeys.models });
      return;
    case "data-changed":
    case "missed":
      void client.invalidateQueries();
      return;
  }
}

/** One request, rather than all pages of the lists. */
async function rereadSession(client: QueryClient, sessionId: string): Promise<void> {
  const known = storedSession(client, sessionId);
  void client.invalidateQueries({ queryKey: queryKeys.usage });
  void client.invalidateQueries({
    queryKey: queryKeys.session(sessionId),
    predicate: (query) => query.queryKey[2] !== "detail",
  });
  const queryKey = queryKeys.sessionDetail(sessionId);
  await client.cancelQueries({ queryKey });
  const detail = await client
    .fetchQuery({
      queryKey,
      queryFn: () => api("GET /api/sessions/:sessionId", { params: { sessionId } }),
      staleTime: 0,
    })
    .catch((error: unknown) => {
      // A deleted session leaves by its own event; any other failure leaves the lists out of date.
      if (!(error instanceof ApiError && error.status === 404))
        void client.invalidateQueries({ queryKey: queryKeys.sessionLists });
      return null;
    });
  if (!detail) return;
  rereadTags(client, known?.tags, detail.session.tags);
  storeSession(client, detail.session);
}

function rereadTags(
  client: QueryClient,
  before: readonly string[] = [],
  after: readonly string[] = [],
): void {
  if (before.join("\n") === after.join("\n")) return;
  void client.invalidateQueries({ queryKey: queryKeys.tags });
}
