"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { useShell } from "@/app/_shell/use-shell";
import type { TreeWire } from "@/lib/chat/wire/branches";
import type { TreeFilter } from "./tree-filter";
import { treeRows } from "./tree-rows";
import { useTreeFind } from "./use-tree-find";

/** How a person looks at a session's tree: what is folded, filtered and in focus, and the rows that come of it. */
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
    const next = new Set(folded);
    if (!next.delete(rowId)) next.add(rowId);
    setFolded(next);
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
    /** The message that waits for another one to be compared with. */
    comparedNode: tree?.nodes.find(({ id }) => id === comparedId) ?? null,
    find,
    /** Something is looked for: a row then leads to its message, instead of beginning anew there. */
    isFinding: query.trim() !== "",
    isFiltered: filter !== "all" || query.trim() !== "",
  };
}

export type TreeView = ReturnType<typeof useTreeView>;
