"use client";

import { useMutation } from "@tanstack/react-query";
import { MessageCircleDashed } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { api } from "@/app/_api/api";
import { ownHeaders } from "@/app/_api/page-person";
import { toastError } from "@/app/_api/toast-error";
import { moveUnsent } from "@/app/_data/chat/move-unsent";
import { useOfferedCommands } from "@/app/_data/page/page-commands";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { Button } from "@/app/_ui/button";
import { toastDone } from "@/app/_ui/toast";
import { copySession } from "./session-menu";

export function TemporaryHeading({ sessionId }: { sessionId: string }) {
  const router = useRouter();
  useTemporaryPresence(sessionId);
  const keep = useMutation({
    mutationFn: () => api("POST /api/sessions/:sessionId/keep", { params: { sessionId } }),
    onSuccess: ({ id }) => {
      moveUnsent(sessionId, id);
      toastDone("Chat kept");
      router.replace(sessionAddress(id));
    },
    onError: toastError,
  });
  const end = useMutation({
    mutationFn: () => api("DELETE /api/sessions/:sessionId", { params: { sessionId } }),
    onSuccess: () => {
      toastDone("Temporary chat deleted");
      router.replace("/");
    },
    onError: toastError,
  });
  useOfferedCommands({ "copy-markdown": () => void copySession(sessionId) });
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <MessageCircleDashed aria-hidden className="size-4 shrink-0 text-accent" />
      <h1 className="min-w-0 truncate font-semibold text-sm">Temporary chat</h1>
      <Button size="sm" variant="ghost" busy={keep.isPending} onClick={() => keep.mutate()}>
        Keep<span className="hidden sm:inline"> this chat</span>
      </Button>
      <Button size="sm" variant="ghost" busy={end.isPending} onClick={() => end.mutate()}>
        End
      </Button>
    </div>
  );
}

/** Hidden tabs run timers once a minute. */
const heartbeatMs = 45_000;

/** A reload comes back in time, before the server ends the chat. */
function useTemporaryPresence(sessionId: string): void {
  useEffect(() => {
    const tell = (isOpen: boolean) => void sendPresence(sessionId, isOpen);
    const open = () => tell(true);
    const leave = () => tell(false);
    open();
    const heartbeat = setInterval(open, heartbeatMs);
    addEventListener("pagehide", leave);
    // The event also fires for pages kept for Back.
    addEventListener("pageshow", open);
    return () => {
      clearInterval(heartbeat);
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", open);
    };
  }, [sessionId]);
}

/** The request outlives the page. The next heartbeat makes up for a failure. */
async function sendPresence(sessionId: string, isOpen: boolean): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/presence`;
  await fetch(path, {
    method: "PUT",
    keepalive: true,
    headers: { ...ownHeaders(), "Content-Type": "application/json" },
    body: JSON.stringify({ isOpen }),
  }).catch(() => undefined);
}
