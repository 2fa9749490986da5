"use client";

import { useEffect } from "react";
import { useServerEvent } from "@/app/_api/use-server-events";
import { markRead, markUnread } from "./unread-sessions";

/** Marks sessions whose answer ended out of view, and unmarks the open one. */
export function useUnreadMarks(openSessionId: string | null): void {
  useServerEvent((event) => {
    if (event.type !== "run-finished") return;
    if (event.sessionId !== openSessionId || document.hidden) markUnread(event.sessionId);
  });
  useEffect(() => {
    if (!openSessionId) return;
    const look = () => {
      if (!document.hidden) markRead(openSessionId);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [openSessionId]);
}
