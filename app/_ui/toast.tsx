"use client";

import { toast } from "sonner";

/** Time to read a sentence, find the button and press it. */
const undoMs = 8_000;

/** Confirms an action and offers to undo it. */
export function toastUndo(message: string, undo: () => void): void {
  toast(message, { duration: undoMs, action: { label: "Undo", onClick: undo } });
}

/** Confirms an action whose result the page does not show. */
export function toastDone(message: string): void {
  toast(message);
}

/** For failures whose place on the page is gone; elsewhere use an error notice. */
export function toastError(message: string, retry?: () => void): void {
  toast.error(message, {
    duration: undoMs,
    ...(retry ? { action: { label: "Retry", onClick: retry } } : {}),
  });
}
