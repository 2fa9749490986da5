import type { ShownTreeRow } from "./tree-rows";

export type TreeMove =
  | { readonly kind: "focus"; readonly rowId: string }
  | { readonly kind: "fold" | "unfold"; readonly rowId: string };

const PAGE_ROWS = 10;

/** Moves as in any ARIA tree; `null` for other keys. */
export function treeMove(
  rows: readonly ShownTreeRow[],
  rowId: string | null,
  key: string,
): TreeMove | null {
  const index = rows.findIndex((row) => row.id === rowId);
  const row = rows[index];
  if (!row) return moveKeys.has(key) ? focusAt(rows, 0) : null;
  switch (key) {
    case "ArrowUp":
      return focusAt(rows, index - 1);
    case "ArrowDown":
      return focusAt(rows, index + 1);
    case "PageUp":
      return focusAt(rows, Math.max(0, index - PAGE_ROWS));
    case "PageDown":
      return focusAt(rows, Math.min(rows.length - 1, index + PAGE_ROWS));
    case "Home":
      return focusAt(rows, 0);
    case "End":
      return focusAt(rows, rows.length - 1);
    case "ArrowLeft":
      return moveOut(row);
    case "ArrowRight":
      return moveIn(rows, index);
    default:
      return null;
  }
}

const moveKeys: ReadonlySet<string> = new Set([
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "PageUp",
  "PageDown",
  "Home",
  "End",
]);

function focusAt(rows: readonly ShownTreeRow[], index: number): TreeMove | null {
  const row = rows[index];
  return row ? { kind: "focus", rowId: row.id } : null;
}

function moveOut(row: ShownTreeRow): TreeMove | null {
  if (row.foldable && !row.folded) return { kind: "fold", rowId: row.id };
  return row.parentRowId === null ? null : { kind: "focus", rowId: row.parentRowId };
}

function moveIn(rows: readonly ShownTreeRow[], index: number): TreeMove | null {
  const row = rows[index];
  if (row?.folded) return { kind: "unfold", rowId: row.id };
  return row?.foldable ? focusAt(rows, index + 1) : null;
}
