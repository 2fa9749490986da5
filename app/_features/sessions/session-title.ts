"use client";

import { useEffect } from "react";

/** For display: marks that turn the direction of text would reach the words around the title. */
export function sessionTitle({ title }: { title: string }): string {
  return title.replace(/[\u202a-\u202e\u2066-\u2069]/g, "") || "New chat";
}

const appName = "Grove";

export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName;
    return () => {
      document.title = appName;
    };
  }, [title]);
}
