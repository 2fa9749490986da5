"use client";

import { useEffect } from "react";
import { isolated } from "@/app/_ui/isolated";

export function sessionTitle({ title }: { title: string }): string {
  return isolated(title) || "New chat";
}

const appName = "Grove";
const newMark = "● ";
let isMarked = false;

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

export function markTitle(marked: boolean): void {
  isMarked = marked;
  showTitle(document.title.replace(newMark, ""));
}

function showTitle(title: string): void {
  // The browser collapses spaces when it reads a title back: a title with two spaces would be written again for ever.
  const tidy = title.replace(/[\t\n\f\r ]+/g, " ").trim();
  const marked = isMarked ? `${newMark}${tidy}` : tidy;
  if (document.title !== marked) document.title = marked;
}
