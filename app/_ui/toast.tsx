"use client";

import { toast } from "sonner";

/** Time to read a sentence, find the button and press it. */
const undoMs = 8_000;

/** Says that something was done and offers to take it back. */
export function toastUndo(message: string, undo: () => void): void {
  toast(message, { duration: undoMs, action: { label: "Undo", onClick: undo } });
}

/** Says that something was done, where the page itself does not show it. */
export function toastDone(message: string): void {
  toast(message);
}

/** For failures whose place on the page is gone; elsewhere use an error notice beside it. */
export function toastError(message: string, retry?: () => void): void {
  toast.error(message, {
    duration: undoMs,
    ...(retry ? { action: { label: "Retry", onClick: retry } } : {}),
  });
}
