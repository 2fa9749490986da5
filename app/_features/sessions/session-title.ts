"use client";

import { useEffect } from "react";

export function sessionTitle({ title }: { title: string }): string {
  return title === "" ? "New chat" : title;
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
