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
    if (title !== undefined) showTitle(title ? `${title} · ${appName}` : appName);
  }, [title]);
}

/** Marks the tab, whatever its title becomes. */
export function markTitle(marked: boolean): void {
  isMarked = marked;
  showTitle(document.title.replace(newMark, ""));
}

function showTitle(title: string): void {
  document.title = isMarked ? `${newMark}${title}` : title;
}
