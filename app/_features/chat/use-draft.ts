"use client";

import { useCallback } from "react";
import { useStore } from "@/app/_ui/store";
import { draftOf, writeDraft } from "./draft-store";

export function useDraft(sessionId: string): [string, (text: string) => void] {
  const draft = useStore(draftOf(sessionId));
  return [draft, useCallback((text: string) => writeDraft(sessionId, text), [sessionId])];
}
