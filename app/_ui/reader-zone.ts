"use client";

import { createContext, useContext, useEffect } from "react";
import { usePageSettled } from "./page-phase";
import { ownZone, zoneCookie } from "./reader-day";

/** The reader's zone, by a cookie of an earlier page; `undefined` means the zone of this machine. */
export const ReaderZone = createContext<string | undefined>(undefined);

const isServer = typeof window === "undefined";

/** A browser knows its own zone better than an older cookie. */
export function useReaderZone(): string | undefined {
  const zone = useContext(ReaderZone);
  return isServer ? zone : undefined;
}

export function useZoneForServer(): void {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${zoneCookie}=${encodeURIComponent(ownZone())}; path=/; max-age=31536000; samesite=lax`;
  }, [isSettled]);
}
