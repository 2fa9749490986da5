"use client";

import { useCallback, useSyncExternalStore } from "react";
import { draftStore } from "./draft-store";

/** The unsent text of a session, kept through reloads, and how to change it. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const read = useCallback(() => draftStore.read(sessionId), [sessionId]);
  const draft = useSyncExternalStore(draftStore.subscribe, read, () => "");
  const write = useCallback((text: string) => draftStore.write(sessionId, text), [sessionId]);
  return [draft, write];
}
