import { shellStore } from "@/app/_shell/shell-store";
import type { TreeActions } from "./use-tree-actions";
import type { TreeView } from "./use-tree-view";

/** Notes a message for a comparison; the second one opens it, the same one again takes it back. */
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
