"use client";

import { useSyncExternalStore } from "react";

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
