"use client";

import { usePathname } from "next/navigation";

/** From the address: a new chat gets one without a change of route. */
export function useOpenSessionId(): string | null {
  const id = /^\/s\/([^/]+)/.exec(usePathname())?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}
