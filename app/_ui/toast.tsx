"use client";

import { lazy, Suspense } from "react";
import type { ExternalToast, toast } from "sonner";
import { usePageSettled } from "./page-phase";
import type { Toaster as ToasterComponent } from "./toaster";

type Library = typeof toast;

const retryMs = 3_000;

const Toaster = lazy(loadToaster);
const library = Promise.withResolvers<Library>();

/** Loads once the page is at rest, because toasts must show while the server is away. */
export function Toasts() {
  if (!usePageSettled()) return null;
  return (
    <Suspense fallback={null}>
      <Toaster onReady={library.resolve} />
    </Suspense>
  );
}

/** Retries: a page that cannot load the toaster must still stand. */
async function loadToaster(): Promise<{ default: typeof ToasterComponent }> {
  try {
    return { default: (await import("./toaster")).Toaster };
  } catch {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    return loadToaster();
  }
}

function withLibrary(act: (toast: Library) => void): void {
  void library.promise.then(act);
}

/** Time to read a sentence, find the button and press it. */
const undoMs = 8_000;

export function toastUndo(message: string, undo: () => void, other?: ToastAction): void {
  const action = { label: "Undo", onClick: undo };
  withLibrary((toast) =>
    toast(message, { duration: undoMs, action, ...(other && { cancel: other }) }),
  );
}

interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

export function toastDone(message: string, options?: ExternalToast): void {
  withLibrary((toast) => toast(message, options));
}

export function toastNews(
  message: string,
  { label, onOpen, onSeen }: { label: string; onOpen: () => void; onSeen: () => void },
): () => void {
  let isTakenAway = false;
  const open = () => {
    onOpen();
    onSeen();
  };
  const id = crypto.randomUUID();
  withLibrary((toast) =>
    toast(message, {
      id,
      duration: Number.POSITIVE_INFINITY,
      closeButton: true,
      action: { label, onClick: open },
      onDismiss: () => isTakenAway || onSeen(),
    }),
  );
  return () => {
    isTakenAway = true;
    withLibrary((toast) => toast.dismiss(id));
  };
}

export function toastFailure(sentence: string, retry?: () => void): void {
  withLibrary((toast) =>
    toast.error(sentence, {
      duration: undoMs,
      ...(retry ? { action: { label: "Retry", onClick: retry } } : {}),
    }),
  );
}
