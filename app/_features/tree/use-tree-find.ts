"use client";

import { useMemo } from "react";
import { useSearch } from "@/app/_features/search/use-search";
import { useDebounced } from "@/app/_ui/use-debounced";
import type { TreeWire } from "@/lib/chat/wire/branches";
import type { SearchHitWire, SnippetWire } from "@/lib/chat/wire/search";
import { compactionItemId } from "./tree-items";

/** What the server answers at most. */
const maxHits = 100;
const typingPauseMs = 200;

export interface TreeFind {
  /** By row id, where the words were found. */
  readonly snippets: ReadonlyMap<string, SnippetWire>;
  readonly isSearching: boolean;
  /** There may be more than are shown. */
  readonly isCut: boolean;
  /** The words that were found instead of misspelt ones. */
  readonly corrected: string | null;
  readonly error: Error | null;
}

/** Searches the whole text of one session's messages and summaries, on every branch. */
export function useTreeFind(
  sessionId: string,
  tree: TreeWire | undefined,
  query: string,
): TreeFind {
  const asked = useDebounced(query.trim(), typingPauseMs);
  const search = useSearch(asked, { session: sessionId, limit: maxHits });
  const compactions = tree?.compactions;
  // What was found for earlier words stays until the next answer, but not once the field is empty.
  const hits = query.trim() === "" ? undefined : search.data?.hits;
  const snippets = useMemo(() => {
    const byRow = new Map<string, SnippetWire>();
    for (const hit of hits ?? []) byRow.set(rowIdOf(hit, compactions ?? []), hit.snippet);
    return byRow;
  }, [hits, compactions]);
  return {
    snippets,
    isSearching: query.trim() !== "" && (search.isFetching || asked !== query.trim()),
    isCut: (hits?.length ?? 0) >= maxHits,
    corrected: hits ? (search.data?.corrected ?? null) : null,
    error: search.error,
  };
}

/** A hit in a summary names the last message under it. */
function rowIdOf({ id, place }: SearchHitWire, compactions: TreeWire["compactions"]): string {
  if (place !== "summary") return id;
  const summary = compactions.findLast(({ toMessageId }) => toMessageId === id);
  return summary ? compactionItemId(summary.id) : id;
}
