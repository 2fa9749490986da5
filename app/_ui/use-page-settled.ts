"use client";

import { useSyncExternalStore } from "react";

const firstLookMs = 300;
const longestWaitMs = 4_000;

let isSettled = false;
let isWatching = false;
const listeners = new Set<() => void>();

/**
 * True once the page has shown its content and is idle, so that prefetching does not delay the first message. False
 * on the server.
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
