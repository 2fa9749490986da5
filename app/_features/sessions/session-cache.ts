import type { QueryClient } from "@tanstack/react-query";
import { queryKeys, type SessionFilter } from "@/app/_api/query-keys";
import type { SessionDetailWire, SessionWire } from "@/lib/chat/wire/sessions";
import { withoutRelative, withRelative } from "./session-lineage-of";
import { changeInPages, placeSession, removeSession, type SessionPages } from "./session-pages";

/** Includes the views of its source and forks. */
export function storeSession(client: QueryClient, session: SessionWire): void {
  for (const [key, pages] of lists(client)) {
    client.setQueryData(key, placeSession(pages, session, key[1] as SessionFilter));
  }
  changeDetail(client, session.id, () => session);
  changeRelatives(client, (detail) => withRelative(detail, session));
}

export function changeStoredSession(
  client: QueryClient,
  sessionId: string,
  change: (session: SessionWire) => SessionWire,
): void {
  for (const [key, pages] of lists(client)) {
    client.setQueryData(key, changeInPages(pages, sessionId, change));
  }
  changeDetail(client, sessionId, change);
}

/** Keeps its own data for undo. */
export function forgetSession(client: QueryClient, sessionId: string): void {
  for (const [key, pages] of lists(client)) {
    client.setQueryData(key, removeSession(pages, sessionId));
  }
  changeRelatives(client, (detail) => withoutRelative(detail, sessionId));
}

/** The newest copy in any list or view. */
export function storedSession(client: QueryClient, sessionId: string): SessionWire | null {
  const detail = client.getQueryData<SessionDetailWire>(queryKeys.sessionDetail(sessionId));
  if (detail) return detail.session;
  const sessions = lists(client).flatMap(([, pages]) =>
    pages.pages.flatMap((page) => page.sessions),
  );
  return sessions.find((session) => session.id === sessionId) ?? null;
}

function lists(client: QueryClient) {
  return client
    .getQueriesData<SessionPages>({ queryKey: queryKeys.sessionLists })
    .flatMap(([key, pages]) => (pages ? [[key, pages] as const] : []));
}

function changeRelatives(
  client: QueryClient,
  change: (detail: SessionDetailWire) => SessionDetailWire,
): void {
  const filter = { queryKey: queryKeys.anySession, predicate: isDetail };
  for (const [key, detail] of client.getQueriesData<SessionDetailWire>(filter)) {
    const changed = detail && change(detail);
    if (changed && changed !== detail) client.setQueryData(key, changed);
  }
}

function isDetail({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[2] === "detail";
}

function changeDetail(
  client: QueryClient,
  sessionId: string,
  change: (session: SessionWire) => SessionWire,
): void {
  client.setQueryData<SessionDetailWire>(queryKeys.sessionDetail(sessionId), (detail) =>
    detail ? { ...detail, session: change(detail.session) } : detail,
  );
}
