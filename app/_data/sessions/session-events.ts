"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { useServerEvent } from "@/app/_api/server-events";
import type { ProgramsWire } from "@/lib/chat/wire/keys";
import type { OneChange, SessionWire } from "@/lib/chat/wire/sessions";
import { changeStoredSession, forgetSession, storedSession, storeSession } from "./session-cache";

export function useSessionEvents(): void {
  const client = useQueryClient();
  useServerEvent((event) => {
    switch (event.type) {
      case "session-changed":
      case "run-finished":
      case "summary-finished":
        void rereadSession(client, event.sessionId);
        return;
      case "session-removed":
        rereadTags(client, storedSession(client, event.sessionId)?.tags);
        if (storedSession(client, event.sessionId)?.programId)
          void client.invalidateQueries({ queryKey: queryKeys.programs });
        forgetSession(client, event.sessionId);
        return;
      case "run-started":
        changeStoredSession(client, event.sessionId, (session) => ({
          ...session,
          writing: true,
          waiting: false,
        }));
        void client.invalidateQueries({ queryKey: queryKeys.transcripts(event.sessionId) });
        return;
      case "session-read":
        changeStoredSession(client, event.sessionId, (session) => ({ ...session, unread: false }));
        // A response on its way may still have the mark.
        if (client.isFetching({ queryKey: queryKeys.sessionDetail(event.sessionId) }) > 0)
          void rereadSession(client, event.sessionId, "facts");
        return;
      case "summary-started":
        void client.invalidateQueries({ queryKey: queryKeys.transcripts(event.sessionId) });
        void client.invalidateQueries({ queryKey: queryKeys.compactionPreviews(event.sessionId) });
        return;
      default:
        return;
    }
  });
}

interface Reread {
  readonly done: Promise<void>;
  readonly stop: AbortController;
  outdated: EventPart | null;
}

/** `all`: its path and all that hangs on it, too. */
type EventPart = "facts" | "all";

const rereads = new WeakMap<QueryClient, Map<string, Reread>>();
/** A first question changes its session several times in this time. */
const togetherMs = 200;

export function rereadSession(
  client: QueryClient,
  sessionId: string,
  part: EventPart = "all",
): Promise<void> {
  if (isBeingDeleted(client, sessionId)) return Promise.resolve();
  const ofClient = rereads.get(client) ?? new Map<string, Reread>();
  rereads.set(client, ofClient);
  const underWay = ofClient.get(sessionId);
  if (underWay) {
    if (underWay.outdated !== "all") underWay.outdated = part;
    return underWay.done;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const reread: Reread = { done: promise, stop: new AbortController(), outdated: part };
  ofClient.set(sessionId, reread);
  void readWhileOutdated();
  return promise;

  async function readWhileOutdated() {
    while (reread.outdated) {
      await new Promise((done) => setTimeout(done, togetherMs));
      if (reread.outdated === "all" && !reread.stop.signal.aborted) rereadParts(client, sessionId);
      reread.outdated = null;
      if (!reread.stop.signal.aborted) await readAgain(client, sessionId, reread.stop.signal);
    }
    if (ofClient.get(sessionId) === reread) ofClient.delete(sessionId);
    resolve();
  }
}

export const deletingKey = ["delete-session"];

/** Cancels reads of a session that is being deleted, which would find it gone. */
export function stopReading(client: QueryClient, sessionId: string): Promise<void> {
  const ofClient = rereads.get(client);
  ofClient?.get(sessionId)?.stop.abort();
  ofClient?.delete(sessionId);
  return client.cancelQueries({ queryKey: queryKeys.session(sessionId) });
}

export function leavesList(change: OneChange): boolean {
  return "deletionId" in change || "space" in change;
}

/** Archiving is the undo of unarchiving. */
export function returnsToList(change: OneChange): boolean {
  return "isRestored" in change || "archived" in change;
}

function isBeingDeleted(client: QueryClient, sessionId: string): boolean {
  const isOfSession = ({ state }: { state: { variables: unknown } }) => {
    const changed = state.variables as { changes: readonly OneChange[] } | undefined;
    return changed?.changes.some((each) => each.id === sessionId && leavesList(each)) ?? false;
  };
  return client.isMutating({ mutationKey: deletingKey, predicate: isOfSession }) > 0;
}

function rereadParts(client: QueryClient, sessionId: string): void {
  void client.invalidateQueries({ queryKey: queryKeys.usage });
  void client.invalidateQueries({
    queryKey: queryKeys.session(sessionId),
    predicate: (query) => query.queryKey[2] !== "detail",
  });
}

/** One request replaces reading all pages of the lists. If it fails, the lists are read again and show why. */
async function readAgain(
  client: QueryClient,
  sessionId: string,
  signal: AbortSignal,
): Promise<void> {
  const known = storedSession(client, sessionId);
  const queryKey = queryKeys.sessionDetail(sessionId);
  await client.cancelQueries({ queryKey });
  try {
    const { session } = await client.fetchQuery({
      queryKey,
      queryFn: () => api("GET /api/sessions/:sessionId", { params: { sessionId }, signal }),
      staleTime: 0,
    });
    rereadTags(client, known?.tags, session.tags);
    storeSession(client, session);
    rereadPrograms(client, session);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ApiError && error.status === 404) return;
    void client.invalidateQueries({ queryKey: queryKeys.sessionLists });
  }
}

function rereadTags(
  client: QueryClient,
  before: readonly string[] = [],
  after: readonly string[] = [],
): void {
  if (before.join("\n") === after.join("\n")) return;
  void client.invalidateQueries({ queryKey: queryKeys.tags });
}

function rereadPrograms(client: QueryClient, { programId }: SessionWire): void {
  if (programId === null) return;
  const known = client.getQueryData<ProgramsWire>(queryKeys.programs);
  if (known?.programs.some(({ id }) => id === programId)) return;
  void client.invalidateQueries({ queryKey: queryKeys.programs });
}
