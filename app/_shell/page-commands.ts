"use client";

import { useEffect, useEffectEvent } from "react";

/** Commands of a page that other parts, such as the palette, can run. */
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
    /** Offers commands until the returned function is called. */
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

/** The commands of the page in view. */
export const pageCommands = createPageCommands();

export type OfferedCommands = Partial<Record<PageCommandId, (() => void) | undefined>>;

/** Offers commands while the component is mounted; one without an action does not apply. */
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
