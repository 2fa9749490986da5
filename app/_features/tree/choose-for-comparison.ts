import { shellStore } from "@/app/_shell/shell-store";
import type { TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

/** Selects a message for comparison; a second one opens it, the same one cancels. */
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
