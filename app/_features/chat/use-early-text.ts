"use client";

import { type RefObject, useLayoutEffect } from "react";
import { draftOf, writeDraft } from "./draft-store";

/** Keeps text typed before hydration. */
export function useEarlyText(
  field: RefObject<HTMLTextAreaElement | null>,
  sessionId: string,
): void {
  useLayoutEffect(() => {
    const typed = field.current?.value ?? "";
    const kept = draftOf(sessionId).read();
    // On back navigation the browser may restore the whole draft itself.
    if (typed !== "" && typed !== kept) {
      writeDraft(sessionId, typed.startsWith(kept) ? typed : kept + typed);
    }
  }, [field, sessionId]);
}
