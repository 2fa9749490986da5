"use client";

import { useEffect } from "react";
import { createStore, useStore } from "./store";

const firstLookMs = 300;
const longestWaitMs = 4_000;

const settled = createStore(false);
let isWatching = false;

/**
 * Whether the page has shown its content. Work nobody waits for, such as prefetching, starts then: earlier it would take
 * the processor from the first message. `false` while rendering on the server.
 */
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
