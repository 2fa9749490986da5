"use client";

import { useEffect, useSyncExternalStore } from "react";
import { createStore, useStore } from "./store";

/** True during hydration and on the server. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
}

function neverChanges() {
  return () => undefined;
}

const firstLookMs = 300;
const longestWaitMs = 4_000;

const settled = createStore(false);
let isWatching = false;

/** True once the page is idle, so that prefetching does not delay the first message. False on the server. */
export function usePageSettled(): boolean {
  useEffect(watch, []);
  return useStore(settled);
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  const settle = () => settled.update(() => true);
  setTimeout(() => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === "undefined") setTimeout(settle, firstLookMs);
    else requestIdleCallback(settle, { timeout: longestWaitMs });
  }, firstLookMs);
}
