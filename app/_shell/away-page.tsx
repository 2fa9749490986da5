"use client";

import { useEffect } from "react";

/** Lets an installed Grove say so itself when its server is not running, in place of the browser's error page. */
export function AwayPage() {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return;
    // A browser that refuses, in a private window for one, shows its own page instead.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  }, []);
  return null;
}
