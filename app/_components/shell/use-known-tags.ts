"use client";

import { useMemo } from "react";
import { useSessions } from "@/app/_hooks/api/use-sessions";

/** The tags of the sessions read so far, in alphabetical order. */
export function useKnownTags(): readonly string[] {
  const { sessions } = useSessions({ archived: false, tag: null });
  return useMemo(
    () => [...new Set(sessions.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b)),
    [sessions],
  );
}
