"use client";

import { useCallback, useSyncExternalStore } from "react";

export const wideQuery = "(min-width: 80rem)";

export const besideQuery = "(min-width: 640px)";

export const touchQuery = "(pointer: coarse)";

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
