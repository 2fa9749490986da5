"use client";

import { MessageCircleDashed } from "lucide-react";
import { newTemporaryChat } from "@/app/_data/page/shell-store";
import { Button } from "@/app/_ui/button";
import { useStore } from "@/app/_ui/store";

/** Returns true when the next new chat is to be temporary. */
export function useNewTemporary(): boolean {
  return useStore(newTemporaryChat);
}

export function TemporaryToggle() {
  const isTemporary = useNewTemporary();
  return (
    <div className="mt-4">
      <Button
        size="sm"
        aria-pressed={isTemporary}
        className={isTemporary ? "border-accent text-accent" : ""}
        onClick={() => newTemporaryChat.update((now) => !now)}
      >
        <MessageCircleDashed aria-hidden />
        Temporary chat
      </Button>
      {isTemporary && (
        <p role="status" className="mt-2 max-w-[52ch] text-muted text-sm">
          Not in your chats, search or memory, and without a title. Deleted when you end it, ten
          minutes after you close its tab, or a day after the last message. The model's provider
          still receives it.
        </p>
      )}
    </div>
  );
}
