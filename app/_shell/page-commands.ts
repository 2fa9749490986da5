"use client";

import { useEffect, useEffectEvent } from "react";

/** What a page can do when it is asked to from elsewhere, such as the palette. */
export type PageCommandId =
  | "compact"
  | "fork"
  | "compare"
  | "bring-along"
  | "rename"
  | "pin"
  | "unpin"
  | "tags"
  | "archive"
  | "unarchive"
  | "export-json"
  | "export-markdown"
  | "delete";

type Offers = ReadonlyMap<PageCommandId, () => void>;

function createPageCommands() {
  let offers: Offers = new Map();
  const listeners = new Set<() => void>();

  function change(next: Offers): void {
    offers = next;
    for (const listener of listeners) listener();
  }

  return {
    read: () => offers,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Offers commands until the function returned is called. */
    offer(ids: readonly PageCommandId[], run: (id: PageCommandId) => void): () => void {
      change(new Map([...offers, ...ids.map((id) => [id, () => run(id)] as const)]));
      const own = new Map(offers);
      return () =>
        change(
          new Map([...offers].filter(([id, act]) => !ids.includes(id) || own.get(id) !== act)),
        );
    },
  };
}

/** What the page in view can do now, and only that. */
export const pageCommands = createPageCommands();

export type OfferedCommands = Partial<Record<PageCommandId, (() => void) | undefined>>;

/** Offers what a page can do while it is in view; a command without an action does not apply. */
export function useOfferedCommands(commands: OfferedCommands): void {
  const run = useEffectEvent((id: PageCommandId) => commands[id]?.());
  const ids = allIds.filter((id) => commands[id] !== undefined);
  const key = ids.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new at every render, its key is not
  useEffect(() => pageCommands.offer(ids, (id) => run(id)), [key]);
}

const allIds: readonly PageCommandId[] = [
  "compact",
  "fork",
  "compare",
  "bring-along",
  "rename",
  "pin",
  "unpin",
  "tags",
  "archive",
  "unarchive",
  "export-json",
  "export-markdown",
  "delete",
];
