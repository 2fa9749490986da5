import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { isOwnList, queryKeys, type SessionListFilter } from "@/app/_api/query-keys";
import type { SessionDetailWire, SessionPageWire, SessionWire } from "@/lib/chat/wire/sessions";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";

export function storeSession(client: QueryClient, session: SessionWire): void {
  for (const [key, pages] of lists(client)) {
    client.setQueryData(key, placeSession(pages, session, key[1] as SessionListFilter));
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

export function forgetSession(client: QueryClient, sessionId: string): void {
  for (const [key, pages] of lists(client)) {
    client.setQueryData(key, removeSession(pages, sessionId));
  }
  changeRelatives(client, (detail) => withoutRelative(detail, sessionId));
}

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

export type SessionPages = InfiniteData<SessionPageWire, string | null>;

/** Removes `session` when the filter no longer matches or it belongs on an unread page. */
export function placeSession(
  pages: SessionPages,
  session: SessionWire,
  filter: SessionListFilter,
): SessionPages {
  const without = removeSession(pages, session.id);
  if (!fits(session, filter)) return without;
  const keepsPlace = ({ id, pinned, updatedAt }: SessionWire) =>
    id === session.id && !pinned && !session.pinned && updatedAt === session.updatedAt;
  if (pages.pages.some((page) => page.sessions.some(keepsPlace)))
    return changeInPages(pages, session.id, () => session);
  const [first, ...rest] = without.pages;
  if (!first) return without;
  if (session.pinned) {
    return { ...without, pages: [{ ...first, sessions: [session, ...first.sessions] }, ...rest] };
  }
  return { ...without, pages: insertByDate(without.pages, session) };
}

export function removeSession(pages: SessionPages, sessionId: string): SessionPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      sessions: page.sessions.filter((session) => session.id !== sessionId),
    })),
  };
}

export function changeInPages(
  pages: SessionPages,
  sessionId: string,
  change: (session: SessionWire) => SessionWire,
): SessionPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      sessions: page.sessions.map((session) =>
        session.id === sessionId ? change(session) : session,
      ),
    })),
  };
}

function fits(session: SessionWire, filter: SessionListFilter): boolean {
  if (isTemporaryId(session.id) || session.archived !== filter.archived) return false;
  if (filter.program !== undefined && session.programId !== filter.program) return false;
  if (isOwnList(filter)) return isListedAsOwn(session);
  return filter.tag === null || session.tags.includes(filter.tag);
}

function isListedAsOwn({ programId, pinned, parentSessionId }: SessionWire): boolean {
  return programId === null || pinned || parentSessionId !== null;
}

function insertByDate(pages: SessionPageWire[], session: SessionWire): SessionPageWire[] {
  const isOlder = (other: SessionWire) => !other.pinned && other.updatedAt < session.updatedAt;
  const pageIndex = pages.findIndex((page) => page.sessions.some(isOlder));
  if (pageIndex >= 0) {
    return pages.map((page, index) => {
      if (index !== pageIndex) return page;
      return {
        ...page,
        sessions: page.sessions.toSpliced(page.sessions.findIndex(isOlder), 0, session),
      };
    });
  }
  const last = pages.at(-1);
  if (!last || last.nextCursor !== null) return pages;
  return pages.with(-1, { ...last, sessions: [...last.sessions, session] });
}

export function withRelative(detail: SessionDetailWire, relative: SessionWire): SessionDetailWire {
  const named = { id: relative.id, title: relative.title };
  if (detail.session.parentSessionId === relative.id) {
    return isSame(detail.parent, named) ? detail : { ...detail, parent: named };
  }
  const isFork =
    relative.parentSessionId === detail.session.id && relative.forkedAtMessageId !== null;
  if (!isFork) return detail;
  const known = detail.forks.findIndex(({ id }) => id === relative.id);
  if (known === -1) return { ...detail, forks: [...detail.forks, named] };
  return isSame(detail.forks[known] ?? null, named)
    ? detail
    : { ...detail, forks: detail.forks.with(known, named) };
}

export function withoutRelative(detail: SessionDetailWire, goneId: string): SessionDetailWire {
  const forks = detail.forks.filter(({ id }) => id !== goneId);
  const isOrphaned = detail.parent?.id === goneId;
  if (!isOrphaned && forks.length === detail.forks.length) return detail;
  return { ...detail, parent: isOrphaned ? null : detail.parent, forks };
}

type TitledSession = SessionDetailWire["forks"][number];

function isSame(first: TitledSession | null, second: TitledSession): boolean {
  return first?.id === second.id && first.title === second.title;
}
