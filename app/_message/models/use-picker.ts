"use client";

import { type KeyboardEvent, useDeferredValue, useMemo, useState } from "react";
import { createStore, useStore } from "@/app/_ui/store";
import type { ModelsWire } from "@/lib/chat/wire/settings";
import { hiddenCount, type PickerRow, pickerRows, rowAfter } from "./picker-rows";

export interface PickerOptions {
  readonly list: ModelsWire;
  readonly chosen: readonly string[];
  readonly hasAutomatic: boolean;
  readonly onChoose: (row: PickerRow) => void;
}

const pageRows = 8;

export function usePicker({ list, chosen, hasAutomatic, onChoose }: PickerOptions) {
  const [query, setQuery] = useState("");
  const [showsHidden, setShowsHidden] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const recent = useStore(recentModels);
  const asked = useDeferredValue(query);
  const [atFirst] = useState(recent);
  const input = useMemo(
    () => ({
      models: list.models,
      unlisted: list.unlisted,
      query: asked,
      recent: atFirst,
      hasAutomatic,
      showsHidden,
      chosen,
    }),
    [list.models, list.unlisted, asked, atFirst, hasAutomatic, showsHidden, chosen],
  );
  const rows = useMemo(() => pickerRows(input), [input]);
  const hidden = useMemo(() => hiddenCount(input), [input]);
  const activeIndex = activeOf(rows, { activeKey, chosen, query: asked });

  /** The rows shown may still be those of fewer letters. */
  function rowToChoose(): PickerRow | undefined {
    if (asked === query) return rows[activeIndex];
    const asTyped = pickerRows({ ...input, query });
    return asTyped[activeOf(asTyped, { activeKey, chosen, query })];
  }

  function moveTo(index: number): void {
    const row = rows[index];
    if (row && row.kind !== "heading") setActiveKey(row.key);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const by = moves[event.key];
    if (by !== undefined) {
      event.preventDefault();
      moveTo(rowAfter(rows, activeIndex, by));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const row = rowToChoose();
      if (row) onChoose(row);
    }
  }

  return {
    query,
    setQuery(text: string) {
      setQuery(text);
      setActiveKey(null);
    },
    rows,
    hidden,
    showsHidden,
    setShowsHidden,
    activeIndex,
    moveTo,
    onKeyDown,
  };
}

const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: pageRows,
  PageUp: -pageRows,
};

function activeOf(
  rows: readonly PickerRow[],
  {
    activeKey,
    chosen,
    query,
  }: { activeKey: string | null; chosen: readonly string[]; query: string },
): number {
  const moved = rows.findIndex(({ key }) => key === activeKey);
  if (moved !== -1) return moved;
  const first = rows.findIndex(({ kind }) => kind !== "heading");
  if (query.trim() !== "") return first;
  const own = rows.findIndex((row) => row.kind === "model" && row.model.ref === chosen[0]);
  return own === -1 ? first : own;
}

const mostKept = 12;

const recentModels = createStore<readonly string[]>([], {
  name: "recent-models",
  parse: (stored) =>
    Array.isArray(stored) ? stored.filter((ref) => typeof ref === "string") : null,
});

export function noteRecentModel(ref: string): void {
  recentModels.update((before) =>
    [ref, ...before.filter((other) => other !== ref)].slice(0, mostKept),
  );
}
