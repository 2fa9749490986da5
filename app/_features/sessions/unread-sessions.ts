"use client";

import { useSyncExternalStore } from "react";

const storageKey = "grove.unread";
const none: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
let unread: ReadonlySet<string> | null = null;

/** Sessions with an answer not yet viewed on this device. */
export function useUnreadSessions(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, read, () => none);
}

export function markUnread(sessionId: string): void {
  store(new Set(read()).add(sessionId));
}

export function markRead(sessionId: string): void {
  if (!read().has(sessionId)) return;
  const rest = new Set(read());
  rest.delete(sessionId);
  store(rest);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", followOtherTabs);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", followOtherTabs);
  };
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key !== storageKey) return;
  unread = null;
  for (const listener of listeners) listener();
}

function read(): ReadonlySet<string> {
  unread ??= stored();
  return unread;
}

function stored(): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
  } catch {
    return none;
  }
}

function store(next: ReadonlySet<string>): void {
  unread = next;
  try {
    localStorage.setItem(storageKey, JSON.stringify([...next]));
  } catch {
    // Storage may be full or forbidden; the marks then last until reload.
  }
  for (const listener of listeners) listener();
}
