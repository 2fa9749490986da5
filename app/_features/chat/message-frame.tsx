"use client";

import { Bookmark, Leaf } from "lucide-react";
import type { ReactNode } from "react";
import { bookmarkable, useTranscriptActions } from "@/app/_message/chat-session-context";
import { classNames } from "@/app/_ui/class-names";
import { timeOf } from "@/app/_ui/reader-day";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { EntryWire } from "@/lib/chat/wire/messages";

export interface MessageFrameProps {
  /** Screen readers need the author; sighted readers see it from the shape. */
  readonly author: keyof typeof names;
  readonly at: string;
  readonly isFlashing: boolean;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function MessageFrame({
  author,
  at,
  isFlashing,
  isBusy = false,
  children,
}: MessageFrameProps) {
  const time = at === "" ? "" : timeOf(new Date(at));
  return (
    <article
      data-reveal
      aria-label={`${names[author]}, ${time}`}
      aria-busy={isBusy}
      suppressHydrationWarning
      className={classNames(
        "-mx-3 rounded-lg px-3",
        author === "Grove" ? "pb-1" : "pt-1",
        isFlashing && "animate-flash",
      )}
    >
      {children}
    </article>
  );
}

const names = {
  You: "You",
  Grove: "Answer",
  Note: "Note",
  Instructions: "Instructions",
  Question: "Question",
} as const;

export function WritingMark() {
  return (
    <span className="flex items-center gap-2 pl-1.5 text-muted text-sm">
      <Leaf aria-hidden className="size-4 animate-breathe text-accent" />
      Thinking…
    </span>
  );
}

export function MessageBookmark({ entry }: { entry: EntryWire }) {
  const { nameBookmark } = useTranscriptActions();
  const readsOnly = useReadsOnly();
  if (!entry.pinned) return null;
  return (
    <div className={`mt-1 flex text-xs ${entry.message.role === "user" ? "justify-end" : ""}`}>
      <button
        type="button"
        disabled={readsOnly}
        onClick={() => nameBookmark(bookmarkable(entry))}
        className="flex min-h-6 min-w-0 max-w-full items-center gap-1.5 rounded-sm bg-accent-soft px-1.5 py-0.5 text-ink hover:bg-hover"
      >
        <Bookmark aria-hidden className="size-3 shrink-0 text-accent" />
        {entry.label !== null && <span className="sr-only">Bookmark: </span>}
        <span dir="auto" className="truncate">
          {entry.label ?? "Bookmarked"}
        </span>
      </button>
    </div>
  );
}
