"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { useShell } from "@/app/_data/page/shell-store";
import { useSearch } from "@/app/_data/search/use-search";
import { useDebounced } from "@/app/_ui/use-debounced";
import type { TreeWire } from "@/lib/chat/wire/branches";
import type { SearchHitWire, SnippetWire } from "@/lib/chat/wire/search";
import type { TreeFilter } from "./tree-filter";
import { compactionItemId } from "./tree-items";
import { treeRows } from "./tree-rows";

export function useTreeView(sessionId: string, tree: TreeWire | undefined, leafId: string | null) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState<TreeFilter>("all");
  const [query, setQuery] = useState("");
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const comparedId = useShell((state) => state.comparedId);
  const shownQuery = useDeferredValue(query);
  const find = useTreeFind(sessionId, tree, query);
  const { snippets } = find;
  const rows = useMemo(() => {
    const { nodes = [], compactions = [] } = tree ?? {};
    const found = new Set(snippets.keys());
    return treeRows(nodes, leafId, { compactions, folded, filter, query: shownQuery, found });
  }, [tree, leafId, folded, filter, shownQuery, snippets]);

  function toggleFold(rowId: string) {
    setFolded(folded.symmetricDifference(new Set([rowId])));
  }

  return {
    rows,
    filter,
    setFilter,
    query,
    setQuery,
    focusedId,
    setFocusedId,
    toggleFold,
    comparedNode: tree?.nodes.find(({ id }) => id === comparedId) ?? null,
    find,
    isFinding: query.trim() !== "",
    isFiltered: filter !== "all" || query.trim() !== "",
  };
}

export type TreeView = ReturnType<typeof useTreeView>;

const maxHits = 100;
const typingPauseMs = 200;

interface TreeFind {
  readonly snippets: ReadonlyMap<string, SnippetWire>;
  readonly isSearching: boolean;
  readonly isCut: boolean;
  readonly corrected: string | null;
  readonly error: Error | null;
}

function useTreeFind(sessionId: string, tree: TreeWire | undefined, query: string): TreeFind {
  const asked = useDebounced(query.trim(), typingPauseMs);
  const search = useSearch(asked, { session: sessionId, limit: maxHits });
  const compactions = tree?.compactions;
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

function rowIdOf({ id, place }: SearchHitWire, compactions: TreeWire["compactions"]): string {
  if (place !== "summary") return id;
  const summary = compactions.findLast(({ toMessageId }) => toMessageId === id);
  return summary ? compactionItemId(summary.id) : id;
}
