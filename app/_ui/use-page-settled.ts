"use client";

import { useSyncExternalStore } from "react";

const firstLookMs = 300;
const longestWaitMs = 4_000;

let isSettled = false;
let isWatching = false;
const listeners = new Set<() => void>();

/**
 * Whether the page has shown what it was opened for. What nobody waits for, such as fetching where a link leads, begins
 * then: earlier it would take the processor from the first message. `false` while rendering on the server.
 */
export function usePageSettled(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isSettled,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isWatching) watch();
  return () => void listeners.delete(listener);
}

function watch(): void {
  isWatching = true;
  setTimeout(() => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === "undefined") setTimeout(settle, firstLookMs);
    else requestIdleCallback(settle, { timeout: longestWaitMs });
  }, firstLookMs);
}

function settle(): void {
  isSettled = true;
  for (const listener of listeners) listener();
}
