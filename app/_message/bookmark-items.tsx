"use client";

import { Bookmark, BookmarkMinus } from "lucide-react";
import { MenuItem } from "@/app/_ui/menu";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { type Bookmarkable, useTranscriptActions } from "./chat-session-context";

export interface BookmarkItemsProps {
  readonly message: Bookmarkable;
  readonly shortcut?: readonly string[];
}

export function BookmarkItems({ message, shortcut }: BookmarkItemsProps) {
  const { toggleBookmark, nameBookmark } = useTranscriptActions();
  const readsOnly = useReadsOnly();
  const keys = shortcut && { shortcut };
  const toggle = () => toggleBookmark(message);
  if (readsOnly) return null;
  if (!message.pinned) {
    return (
      <MenuItem
        icon={<Bookmark aria-hidden />}
        note="Kept verbatim when summarized"
        onSelect={toggle}
        {...keys}
      >
        Bookmark
      </MenuItem>
    );
  }
  return (
    <>
      <MenuItem icon={<Bookmark aria-hidden />} onSelect={() => nameBookmark(message)}>
        Name bookmark…
      </MenuItem>
      <MenuItem icon={<BookmarkMinus aria-hidden />} onSelect={toggle} {...keys}>
        Remove bookmark
      </MenuItem>
    </>
  );
}
