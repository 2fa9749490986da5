"use client";

import { useSyncExternalStore } from "react";

/** Whether this render takes over what the server sent, rather than making it anew. `true` on the server. */
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
