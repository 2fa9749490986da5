"use client";

import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import { createStore } from "./store";

export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
}

/** Never changes, unlike `useIsHydrating`, whose end React renders at once with all waiting effects. */
export function useCameFromServer(): boolean {
  const [part] = useState(() => ({ cameFromServer: false }));
  return useSyncExternalStore(
    neverChanges,
    () => part.cameFromServer,
    () => {
      part.cameFromServer = true;
      return true;
    },
  );
}

function neverChanges() {
  return () => undefined;
}

const firstLookMs = 300;
const longestWaitMs = 4_000;

const settled = createStore(false);
let isWatching = false;

/** True once idle, so that prefetching does not delay the first message. False on the server. */
export function usePageSettled(): boolean {
  const cameFromServer = useCameFromServer();
  const [isSettled, setIsSettled] = useState(() => !cameFromServer && settled.read());
  useEffect(() => {
    watch();
    const follow = () => startTransition(() => setIsSettled(settled.read()));
    follow();
    return settled.subscribe(follow);
  }, []);
  return isSettled;
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
