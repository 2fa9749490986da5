"use client";

import { useEffect } from "react";

/** Registers the service worker that shows an offline page in an installed Grove. */
export function AwayPage() {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // Private windows may refuse; the browser then shows its own page.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  }, []);
  return null;
}
