import type { TreeActions } from "@/app/_hooks/drawer/use-tree-actions";
import type { TreeView } from "@/app/_hooks/drawer/use-tree-view";
import type { TreeRow } from "./tree-rows";

/** While something is looked for, choosing a row shows its message; otherwise the conversation goes on from there. */
export function chooseRow(
  { isFinding }: Pick<TreeView, "isFinding">,
  actions: Pick<TreeActions, "choose" | "goTo">,
  row: TreeRow,
): void {
  if (isFinding) actions.goTo(row);
  else actions.choose(row);
}

/** The match after the row in focus, or before it, round the ends; `null` when nothing matches. */
export function nextMatch(
  rows: readonly TreeRow[],
  focusedId: string | null,
  direction: "next" | "previous",
): TreeRow | null {
  const matches = rows.filter((row) => !row.isContext);
  const at = matches.findIndex((row) => row.id === focusedId);
  if (at === -1) return matches.at(direction === "next" ? 0 : -1) ?? null;
  const step = direction === "next" ? 1 : -1;
  return matches.at((at + step) % matches.length) ?? null;
}
