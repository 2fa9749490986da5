"use client";

import { useEffect } from "react";
import { isolated } from "@/app/_ui/isolated";

/** For display. */
export function sessionTitle({ title }: { title: string }): string {
  return isolated(title) || "New chat";
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
