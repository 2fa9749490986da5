import { shellStore } from "@/app/_data/page/shell-store";
import type { TreeRow } from "./tree-rows";
import type { TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

/** While comparing, selects the second message; while searching, only shows the row's message. */
export function chooseRow(
  { isFinding, comparedNode }: Pick<TreeView, "isFinding" | "comparedNode">,
  actions: Pick<TreeActions, "choose" | "goTo" | "compare">,
  row: TreeRow,
): void {
  if (comparedNode) chooseForComparison({ comparedNode }, actions, messageOf(row));
  else if (isFinding) actions.goTo(row);
  else actions.choose(row);
}

/** A summary represents the path to the last message it covers. */
function messageOf({ item }: TreeRow): string {
  return item.kind === "compaction" ? item.compaction.toMessageId : item.node.id;
}

/** Wraps around; `null` without matches. */
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

/** Selecting the same message again cancels. */
export function chooseForComparison(
  { comparedNode }: Pick<TreeView, "comparedNode">,
  actions: Pick<TreeActions, "compare">,
  messageId: string,
): void {
  if (comparedNode === null) {
    shellStore.compareFrom(messageId);
    return;
  }
  shellStore.stopComparing();
  if (comparedNode.id !== messageId) actions.compare(comparedNode.id, messageId);
}
