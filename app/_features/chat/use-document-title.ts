"use client";

import { useEffect } from "react";

const appName = "Grove";

/** Names the browser's tab and history entries after what is shown, as long as it is. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName;
    return () => {
      document.title = appName;
    };
  }, [title]);
}
