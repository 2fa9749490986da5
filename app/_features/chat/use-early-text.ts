"use client";

import { type RefObject, useLayoutEffect } from "react";
import { draftStore } from "./draft-store";

/** Takes into the draft what was typed into the field before the page's scripts had come. */
export function useEarlyText(
  field: RefObject<HTMLTextAreaElement | null>,
  sessionId: string,
): void {
  useLayoutEffect(() => {
    const typed = field.current?.value ?? "";
    const kept = draftStore.read(sessionId);
    // A browser that goes back puts the whole draft into the field by itself.
    if (typed !== "" && typed !== kept) {
      draftStore.write(sessionId, typed.startsWith(kept) ? typed : kept + typed);
    }
  }, [field, sessionId]);
}
