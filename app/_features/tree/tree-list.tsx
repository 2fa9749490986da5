"use client";

import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { treeMove } from "./tree-move";
import { TreeRowLine } from "./tree-row-line";
import { TreeRowMenu } from "./tree-row-menu";
import type { ShownTreeRow } from "./tree-rows";
import { chooseForComparison, chooseRow, type TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

export interface TreeListProps {
  view: TreeView;
  actions: TreeActions;
  onType: () => void;
}

/** Holds the focus and refers to the current row by `aria-activedescendant`, so that rows may unmount. */
export function TreeList({ view, actions, onType }: TreeListProps) {
  const { rows } = view;
  const listRef = useRef<VListHandle>(null);
  const treeId = useId();
  const leafIndex = rows.findIndex((row) => row.isActiveLeaf);
  const focusedIndex = indexOfFocus(view, leafIndex);
  const focusedRow = rows[focusedIndex];
  useScrollTo(listRef, { index: leafIndex, align: "center" });
  useScrollTo(listRef, { index: focusedIndex, align: "nearest" });

  function onKeyDown(event: KeyboardEvent) {
    // Keys on a button in a row belong to that button.
    if (event.target !== event.currentTarget) return;
    const act = keyAction(event, { view, actions, focusedIndex });
    if (act) {
      event.preventDefault();
      act();
    } else if (isTyped(event)) onType();
  }

  return (
    <VList
      ref={listRef}
      data={rows}
      itemSize={32}
      role="tree"
      aria-label="Messages"
      aria-busy={actions.isChoosing}
      aria-activedescendant={focusedRow ? `${treeId}-${focusedIndex}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      keepMounted={focusedIndex >= 0 ? [focusedIndex] : []}
      className="h-full overflow-x-hidden py-1 -outline-offset-2"
    >
      {(row: ShownTreeRow, index: number) => (
        <TreeRowLine
          key={row.id}
          row={row}
          isCompared={row.id === view.comparedNode?.id}
          domId={`${treeId}-${index}`}
          focused={index === focusedIndex}
          snippet={view.find.snippets.get(row.id) ?? null}
          onChoose={() => {
            view.setFocusedId(row.id);
            chooseRow(view, actions, row);
          }}
          onFold={() => view.toggleFold(row.id)}
          actions={
            <TreeRowMenu row={row} view={view} actions={actions} focused={index === focusedIndex} />
          }
        />
      )}
    </VList>
  );
}

interface FocusedRow extends Pick<TreeListProps, "view" | "actions"> {
  focusedIndex: number;
}

/** Capital letters act on the current row; other typed characters are left to the filter. */
function keyAction(event: KeyboardEvent, focused: FocusedRow): (() => void) | null {
  const { view, actions, focusedIndex } = focused;
  const { key, metaKey } = event;
  const row = view.rows[focusedIndex];
  const node = row?.item.kind === "message" ? row.item.node : null;
  if (node && key === "B") return () => actions.toggleBookmark(node);
  if (node && key === "C") return () => chooseForComparison(view, actions, node.id);
  if (isTyped(event)) return null;
  if (row && (key === "Enter" || key === " ")) return () => chooseRow(view, actions, row);
  if (key === "Delete" || (key === "Backspace" && metaKey)) {
    return (
      node &&
      (() => {
        actions.deleteUnder(node);
        view.setFocusedId(view.rows[focusedIndex - 1]?.id ?? null);
      })
    );
  }
  const move = treeMove(view.rows, row?.id ?? null, key);
  if (!move) return null;
  return () =>
    move.kind === "focus" ? view.setFocusedId(move.rowId) : view.toggleFold(move.rowId);
}

function indexOfFocus({ rows, focusedId }: TreeView, leafIndex: number): number {
  const index = rows.findIndex((row) => row.id === focusedId);
  return index >= 0 ? index : Math.max(leafIndex, rows.length > 0 ? 0 : -1);
}

function useScrollTo(
  listRef: RefObject<VListHandle | null>,
  { index, align }: { index: number; align: "center" | "nearest" },
) {
  useEffect(() => {
    if (index >= 0) listRef.current?.scrollToIndex(index, { align });
  }, [listRef, index, align]);
}

function isTyped(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isPlain && event.key.length === 1 && event.key !== " ";
}
