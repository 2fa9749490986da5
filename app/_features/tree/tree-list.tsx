"use client";

import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { chooseForComparison, chooseRow } from "./choose-row";
import { treeMove } from "./tree-move";
import { TreeRowLine } from "./tree-row-line";
import { TreeRowMenu } from "./tree-row-menu";
import type { TreeRow } from "./tree-rows";
import type { TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

export interface TreeListProps {
  view: TreeView;
  actions: TreeActions;
  /** A typed letter belongs in the filter. */
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
    const capital = capitalAction(event.key);
    if (capital) {
      event.preventDefault();
      capital();
      return;
    }
    if (isTyped(event)) {
      onType();
      return;
    }
    const act = actionOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Capital letters act on the current row. */
  function capitalAction(key: string): (() => void) | null {
    if (focusedRow?.item.kind !== "message") return null;
    const { node } = focusedRow.item;
    if (key === "L") return () => actions.editLabel(node);
    return key === "C" ? () => chooseForComparison(view, actions, node.id) : null;
  }

  function actionOf({ key, metaKey }: KeyboardEvent): (() => void) | null {
    if (focusedRow && (key === "Enter" || key === " "))
      return () => chooseRow(view, actions, focusedRow);
    if (key === "Delete" || (key === "Backspace" && metaKey)) return deletionOf(focusedRow);
    const move = treeMove(rows, focusedRow?.id ?? null, key);
    if (!move) return null;
    return () =>
      move.kind === "focus" ? view.setFocusedId(move.rowId) : view.toggleFold(move.rowId);
  }

  function deletionOf(row: TreeRow | undefined): (() => void) | null {
    if (row?.item.kind !== "message") return null;
    const { node } = row.item;
    const above = rows[focusedIndex - 1];
    return () => {
      actions.deleteUnder(node);
      view.setFocusedId(above?.id ?? null);
    };
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
      {(row: TreeRow, index: number) => (
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
