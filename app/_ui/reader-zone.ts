"use client";

import { useEffect } from "react";
import { zoneCookie } from "@/lib/chat/wire/reader";
import { usePageSettled } from "./page-phase";
import { ownZone } from "./reader-day";

export function useZoneForServer(): void {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${zoneCookie}=${encodeURIComponent(ownZone())}; path=/; max-age=31536000; samesite=lax`;
  }, [isSettled]);
}
