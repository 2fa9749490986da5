"use client";

import { keep, readKept } from "@/app/_ui/use-kept-state";

/** A row at the top of the view, by its key, and how far it is scrolled out. */
interface ScrollPlaceKept {
  readonly rowKey: string;
  readonly px: number;
}

const recentMs = 3_000;
let wentBackAt = Number.NEGATIVE_INFINITY;

if (typeof window !== "undefined") {
  addEventListener("popstate", () => {
    wentBackAt = performance.now();
  });
  // The next one is opened by choice.
  addEventListener("click", () => {
    wentBackAt = Number.NEGATIVE_INFINITY;
  });
}

const nameOf = (sessionId: string) => `scroll/${sessionId}`;

/** `null` at the end, where a conversation opens anyway. */
export function keepPlace(sessionId: string, place: ScrollPlaceKept | null): void {
  keep(nameOf(sessionId), place);
}

/** `null` unless the reader has just come back. */
export function placeToRestore(sessionId: string): ScrollPlaceKept | null {
  if (performance.now() - wentBackAt > recentMs) return null;
  return readKept<ScrollPlaceKept | null>(nameOf(sessionId), null);
}
