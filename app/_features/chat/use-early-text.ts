"use client";

import { type RefObject, useLayoutEffect } from "react";
import { draftOf, writeDraft } from "./draft-store";

/** Takes into the draft what was typed into the field before the page's scripts had come. */
export function useEarlyText(
  field: RefObject<HTMLTextAreaElement | null>,
  sessionId: string,
): void {
  useLayoutEffect(() => {
    const typed = field.current?.value ?? "";
    const kept = draftOf(sessionId).read();
    // A browser that goes back puts the whole draft into the field by itself.
    if (typed !== "" && typed !== kept) {
      writeDraft(sessionId, typed.startsWith(kept) ? typed : kept + typed);
    }
  }, [field, sessionId]);
}
