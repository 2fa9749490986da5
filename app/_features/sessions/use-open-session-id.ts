"use client";

import { useParams } from "next/navigation";

/** The session this page shows, or `null`. */
export function useOpenSessionId(): string | null {
  const { sessionId } = useParams<{ sessionId?: string }>();
  return sessionId ?? null;
}
