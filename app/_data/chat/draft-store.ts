"use client";

import { useCallback } from "react";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { storedInSpace } from "@/app/_ui/page-space";
import { createStore, createStores, useStore } from "@/app/_ui/store";

export const draftOf = createStores((sessionId) =>
  createStore("", {
    name: storedInSpace(`draft:${sessionId}`),
    // Text typed in another tab must not replace the text typed here.
    isShared: false,
    parse: (stored) => (typeof stored === "string" ? stored : null),
    serialize: (text) => text || null,
    delayMs: 250,
  }),
);

export const newChat = "new";

export function writeDraft(sessionId: string, text: string): void {
  draftOf(sessionId).update(() => text);
}

export function useDraft(sessionId: string): [string, (text: string) => void] {
  const draft = useStore(draftOf(sessionId));
  return [draft, useCallback((text: string) => writeDraft(sessionId, text), [sessionId])];
}

const puts = new Map<string, { readonly before: string; readonly after: string }>();

export function appendToDraft(sessionId: string, text: string): void {
  const before = draftOf(sessionId).read();
  writeDraft(sessionId, before.trim() === "" ? text : `${before}\n\n${text}`);
  focusComposer();
}

/** `takeBackQuestion` removes the copy again while it is unchanged. */
export function putQuestion(sessionId: string, text: string): void {
  const before = draftOf(sessionId).read();
  appendToDraft(sessionId, text);
  puts.set(sessionId, { before, after: draftOf(sessionId).read() });
}

export function takeBackQuestion(sessionId: string): void {
  const put = puts.get(sessionId);
  puts.delete(sessionId);
  if (put && draftOf(sessionId).read() === put.after) writeDraft(sessionId, put.before);
}
