"use client";

import { usePathname } from "next/navigation";

/** The session this page shows, or `null`. The address tells, for a new chat gets one without a change of route. */
export function useOpenSessionId(): string | null {
  const id = /^\/s\/([^/]+)/.exec(usePathname())?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}
