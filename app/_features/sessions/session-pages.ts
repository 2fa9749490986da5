import type { InfiniteData } from "@tanstack/react-query";
import type { SessionFilter } from "@/app/_api/query-keys";
import type { SessionPageWire, SessionWire } from "@/lib/chat/wire/sessions";

export type SessionPages = InfiniteData<SessionPageWire, string | null>;

/** Moves `session` to the top, or removes it when the filter no longer matches or it belongs on an unread page. */
export function placeSession(
  pages: SessionPages,
  session: SessionWire,
  filter: SessionFilter,
): SessionPages {
  const without = removeSession(pages, session.id);
  if (!fits(session, filter)) return without;
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

function fits(session: SessionWire, filter: SessionFilter): boolean {
  if (session.archived !== filter.archived) return false;
  return filter.tag === null || session.tags.includes(filter.tag);
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
