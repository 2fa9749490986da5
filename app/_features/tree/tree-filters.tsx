"use client";

import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { shellStore, useShell } from "@/app/_data/page/shell-store";
import { Input } from "@/app/_ui/fields";
import { Segmented } from "@/app/_ui/toggles";
import { nextMatch, type TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

export interface TreeFiltersProps {
  view: TreeView;
  actions: TreeActions;
  searchRef: RefObject<HTMLInputElement | null>;
  onLeave: () => void;
}

export function TreeFilters({ view, actions, searchRef, onLeave }: TreeFiltersProps) {
  useAskedToFind(view, searchRef);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (view.isFinding) walk(event.shiftKey ? "previous" : "next");
      else onLeave();
    }
    if (event.key === "ArrowDown") {
      event.preventDefault();
      onLeave();
    }
    if (event.key === "Escape" && view.query !== "") {
      event.stopPropagation();
      view.setQuery("");
    }
  }

  function walk(direction: "next" | "previous") {
    const row = nextMatch(view.rows, view.focusedId, direction);
    if (!row) return;
    view.setFocusedId(row.id);
    actions.goTo(row);
  }

  return (
    <div className="flex flex-col gap-2 border-line border-b p-3">
      <Input
        ref={searchRef}
        type="search"
        data-find-input
        aria-label="Find in this chat"
        placeholder="Find in this chat"
        value={view.query}
        onChange={(event) => view.setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {view.isFinding && view.find.error && (
        <p role="alert" className="text-danger text-xs">
          {errorSentence(view.find.error)} Searches bookmarks and first words only.
        </p>
      )}
      <Segmented
        label="Show"
        value={view.filter}
        onChange={view.setFilter}
        options={[
          { value: "all", label: "All" },
          { value: "mine", label: "Mine" },
          { value: "bookmarks", label: "Bookmarks" },
        ]}
      />
    </div>
  );
}

function useAskedToFind(view: TreeView, field: RefObject<HTMLInputElement | null>): void {
  const asked = useShell((state) => state.find);
  const begin = useEffectEvent(() => {
    const words = shellStore.takeFind();
    if (words === null) return;
    if (words !== "") view.setQuery(words);
    field.current?.focus();
    field.current?.select();
  });
  useEffect(() => {
    if (asked !== null) begin();
  }, [asked]);
}
