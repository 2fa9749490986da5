"use client";

import { useMutation } from "@tanstack/react-query";
import { MessageCircleDashed } from "lucide-react";
import { useRouter } from "next/navigation";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { moveUnsent } from "@/app/_data/chat/move-unsent";
import { useOfferedCommands } from "@/app/_data/page/page-commands";
import { Button } from "@/app/_ui/button";
import { toastDone } from "@/app/_ui/toast";
import { copySession } from "./session-menu";
import { useTemporaryPresence } from "./temporary-presence";

export function TemporaryHeading({ sessionId }: { sessionId: string }) {
  const router = useRouter();
  useTemporaryPresence(sessionId);
  const keep = useMutation({
    mutationFn: () => api("POST /api/sessions/:sessionId/keep", { params: { sessionId } }),
    onSuccess: ({ id }) => {
      moveUnsent(sessionId, id);
      toastDone("Chat kept");
      router.replace(`/s/${encodeURIComponent(id)}`);
    },
    onError: (error) => toastError(error),
  });
  const end = useMutation({
    mutationFn: () => api("DELETE /api/sessions/:sessionId", { params: { sessionId } }),
    onSuccess: () => {
      toastDone("Temporary chat deleted");
      router.replace("/");
    },
    onError: (error) => toastError(error),
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
