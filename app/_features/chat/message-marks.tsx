"use client";

import { Bookmark, Pin } from "lucide-react";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";

export function MessageMarks({ entry }: { entry: EntryWire }) {
  const { editLabel } = useTranscriptActions();
  const isOwn = entry.message.role === "user";
  if (!entry.pinned && entry.label === null) return null;
  return (
    <div
      className={`mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs ${isOwn ? "justify-end" : ""}`}
    >
      {entry.label !== null && (
        <button
          type="button"
          onClick={() => editLabel(entry)}
          className="flex min-w-0 max-w-full items-center gap-1.5 rounded-sm bg-accent-soft px-1.5 py-0.5 text-ink hover:bg-hover"
        >
          <Bookmark aria-hidden className="size-3 shrink-0 text-accent" />
          <span className="sr-only">Label: </span>
          <span dir="auto" className="truncate">
            {entry.label}
          </span>
        </button>
      )}
      {entry.pinned && (
        <p className="flex items-center gap-1.5 text-faint">
          <Pin aria-hidden className="size-3" />
          Pinned
        </p>
      )}
    </div>
  );
}
