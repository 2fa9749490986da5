import { useEffect } from "react";
import { ownHeaders } from "@/app/_api/page-person";

/** Hidden tabs run timers once a minute. */
const heartbeatMs = 45_000;

/** The server ends the chat soon after its last tab closed. A reload comes back in time. */
export function useTemporaryPresence(sessionId: string): void {
  useEffect(() => {
    const tell = (isOpen: boolean) => void sendPresence(sessionId, isOpen);
    const open = () => tell(true);
    const leave = () => tell(false);
    open();
    const heartbeat = setInterval(open, heartbeatMs);
    addEventListener("pagehide", leave);
    // Also a page that the browser kept for its Back button.
    addEventListener("pageshow", open);
    return () => {
      clearInterval(heartbeat);
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", open);
    };
  }, [sessionId]);
}

/** Outlives the page. What fails is made up for by the next heartbeat, or by the end of the day. */
async function sendPresence(sessionId: string, isOpen: boolean): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/presence`;
  await fetch(path, {
    method: "PUT",
    keepalive: true,
    headers: { ...ownHeaders(), "Content-Type": "application/json" },
    body: JSON.stringify({ isOpen }),
  }).catch(() => undefined);
}
