"use client";

import { useEffect, useEffectEvent } from "react";
import { createStore } from "@/app/_ui/store";

const pageCommandIds = [
  "print",
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
  "move",
  "share",
  "save-page",
  "export-json",
  "export-markdown",
  "copy-markdown",
  "delete",
] as const;

export type PageCommandId = (typeof pageCommandIds)[number];

type Offers = ReadonlyMap<PageCommandId, () => void>;

export const pageCommands = createStore<Offers>(new Map());

function offer(ids: readonly PageCommandId[], run: (id: PageCommandId) => void): () => void {
  const own = new Map(ids.map((id) => [id, () => run(id)] as const));
  pageCommands.update((offers) => new Map([...offers, ...own]));
  return () =>
    pageCommands.update(
      (offers) => new Map([...offers].filter(([id, act]) => own.get(id) !== act)),
    );
}

export type OfferedCommands = Partial<Record<PageCommandId, (() => void) | undefined>>;

export function useOfferedCommands(commands: OfferedCommands): void {
  const run = useEffectEvent((id: PageCommandId) => commands[id]?.());
  const ids = pageCommandIds.filter((id) => commands[id] !== undefined);
  const key = ids.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new at every render, its key is not
  useEffect(() => offer(ids, (id) => run(id)), [key]);
}
