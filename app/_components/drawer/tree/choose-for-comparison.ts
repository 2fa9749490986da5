import type { TreeActions } from "@/app/_hooks/drawer/use-tree-actions";
import type { TreeView } from "@/app/_hooks/drawer/use-tree-view";

/** Notes a message for a comparison; the second one opens it, the same one again takes it back. */
export function chooseForComparison(
  view: Pick<TreeView, "comparedNode" | "setComparedId">,
  actions: Pick<TreeActions, "compare">,
  messageId: string,
): void {
  const { comparedNode, setComparedId } = view;
  setComparedId(comparedNode === null ? messageId : null);
  if (comparedNode && comparedNode.id !== messageId) actions.compare(comparedNode.id, messageId);
}
