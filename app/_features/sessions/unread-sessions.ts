"use client";

import { createStore, useStore } from "@/app/_ui/store";

const unread = createStore<ReadonlySet<string>>(new Set(), {
  name: "unread",
  parse: (ids) => (Array.isArray(ids) ? new Set(ids.filter((id) => typeof id === "string")) : null),
  serialize: (ids) => [...ids],
});

/** Sessions with an answer that was not looked at in this browser. */
export function useUnreadSessions(): ReadonlySet<string> {
  return useStore(unread);
}

export function markUnread(sessionId: string): void {
  unread.update((ids) => new Set(ids).add(sessionId));
}

export function markRead(sessionId: string): void {
  if (!unread.read().has(sessionId)) return;
  unread.update((ids) => new Set([...ids].filter((id) => id !== sessionId)));
}
