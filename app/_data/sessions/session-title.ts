"use client";

import { useEffect } from "react";
import { isolated } from "@/app/_ui/isolated";

/** For display. */
export function sessionTitle({ title }: { title: string }): string {
  return isolated(title) || "New chat";
}

const appName = "Grove";
const newMark = "● ";
let isMarked = false;

/** `undefined` keeps the title the server gave the page. */
export function useDocumentTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    const keep = () => showTitle(title ? `${title} · ${appName}` : appName);
    keep();
    // Next writes the title of the server's page once more when its streamed metadata arrives.
    const observer = new MutationObserver(keep);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
}

/** Marks the tab, whatever its title becomes. */
export function markTitle(marked: boolean): void {
  isMarked = marked;
  showTitle(document.title.replace(newMark, ""));
}

function showTitle(title: string): void {
  // As the browser reads it back: otherwise one with two spaces would be written again for ever.
  const tidy = title.replace(/[\t\n\f\r ]+/g, " ").trim();
  const marked = isMarked ? `${newMark}${tidy}` : tidy;
  if (document.title !== marked) document.title = marked;
}
