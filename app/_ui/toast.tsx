"use client";

import { toast } from "sonner";
import { errorSentence } from "@/app/_api/api-error";

/** Time to read a sentence, find the button and press it. */
const undoMs = 8_000;

export function toastUndo(message: string, undo: () => void): void {
  toast(message, { duration: undoMs, action: { label: "Undo", onClick: undo } });
}

export function toastDone(message: string): void {
  toast(message);
}

/** For failures whose place on the page is gone; elsewhere use an error notice. */
export function toastError(error: unknown, retry?: () => void): void {
  toast.error(typeof error === "string" ? error : errorSentence(error), {
    duration: undoMs,
    ...(retry ? { action: { label: "Retry", onClick: retry } } : {}),
  });
}
