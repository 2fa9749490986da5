"use client";

import { toastError, toastRetry } from "@/app/_api/toast-error";
import { messageText } from "@/app/_data/chat/message-text";
import { useDeleteMessages, useMessage, useRestoreMessages } from "@/app/_data/chat/use-messages";
import { shellStore } from "@/app/_data/page/shell-store";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { toastDone, toastUndo } from "@/app/_ui/toast";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { ShownTreeRow } from "./tree-rows";
import type { TreeView } from "./use-tree-view";

type MoveTo = (messageId: string | null, question?: string) => void;

export interface TreeActionsOptions {
  sessionId: string;
  onOpenLeaf: (messageId: string) => void;
  onOpenSummary: (toMessageId: string) => void;
  onContinueAfter: MoveTo;
  onCarryOver: MoveTo;
  onCompare: (left: string, right: string) => void;
  onDeleted: (messageIds: readonly string[]) => void;
}

export function useTreeActions(options: TreeActionsOptions) {
  const {
    sessionId,
    onOpenLeaf,
    onOpenSummary,
    onContinueAfter,
    onCarryOver,
    onCompare,
    onDeleted,
  } = options;
  const message = useMessage(sessionId);
  const deletion = useDeleteMessages(sessionId);
  const restoring = useRestoreMessages(sessionId);
  const { toggleBookmark } = useTranscriptActions();

  const readsOnly = useReadsOnly();

  function choose({ item }: Pick<ShownTreeRow, "item">, move: MoveTo = onContinueAfter) {
    if (readsOnly) return goTo({ item });
    if (item.kind !== "message") move(messageOf({ item }));
    else if (item.node.role === "user") editAgain(item.node, move);
    else move(item.node.id);
  }

  function goTo({ item }: Pick<ShownTreeRow, "item">) {
    if (item.kind === "compaction") onOpenSummary(item.compaction.toMessageId);
    else onOpenLeaf(messageOf({ item }));
  }

  function editAgain(node: TreeNodeWire, move: MoveTo) {
    message.mutate(node.id, {
      onSuccess: (found) => {
        if (found === null) toastError("This message no longer exists.");
        else if (found.metadata?.note) move(node.id);
        else move(node.parentId, messageText(found));
      },
      onError: (error) => toastRetry(error, () => editAgain(node, move)),
    });
  }

  function deleteUnder(node: TreeNodeWire, id: string = crypto.randomUUID()) {
    deletion.mutate(
      { ids: [node.id], subtree: true, deletionId: id },
      {
        onSuccess: ({ deletionId, messageIds }) => {
          const count = messageIds.length;
          toastUndo(count === 1 ? "Message deleted." : `${count} messages deleted.`, () =>
            undelete(deletionId),
          );
          onDeleted(messageIds);
        },
        onError: (error) => toastRetry(error, () => deleteUnder(node, id)),
      },
    );
  }

  function undelete(deletionId: string) {
    restoring.mutate(deletionId, {
      onSuccess: () => toastDone("Restored."),
      onError: (error) => toastRetry(error, () => undelete(deletionId)),
    });
  }

  return {
    choose: (row: ShownTreeRow) => choose(row),
    carryOver: (row: ShownTreeRow) => choose(row, onCarryOver),
    goTo,
    deleteUnder: (node: TreeNodeWire) => readsOnly || deleteUnder(node),
    toggleBookmark: (node: TreeNodeWire) => readsOnly || toggleBookmark(node),
    compare: onCompare,
    open: onOpenLeaf,
    isChoosing: message.isPending,
  };
}

export type TreeActions = ReturnType<typeof useTreeActions>;

export function chooseRow(
  {
    isFinding,
    comparedNode,
    toggleFold,
  }: Pick<TreeView, "isFinding" | "comparedNode" | "toggleFold">,
  actions: Pick<TreeActions, "choose" | "goTo" | "compare">,
  row: ShownTreeRow,
): void {
  if (row.item.kind === "calls") toggleFold(row.id);
  else if (comparedNode) chooseForComparison({ comparedNode }, actions, messageOf(row));
  else if (isFinding) actions.goTo(row);
  else actions.choose(row);
}

function messageOf({ item }: Pick<ShownTreeRow, "item">): string {
  switch (item.kind) {
    case "compaction":
      return item.compaction.toMessageId;
    case "calls":
      return item.nodes.at(-1)?.id ?? item.id;
    case "message":
      return item.node.id;
  }
}

export function nextMatch(
  rows: readonly ShownTreeRow[],
  focusedId: string | null,
  direction: "next" | "previous",
): ShownTreeRow | null {
  const matches = rows.filter((row) => !row.isContext);
  const at = matches.findIndex((row) => row.id === focusedId);
  if (at === -1) return matches.at(direction === "next" ? 0 : -1) ?? null;
  const step = direction === "next" ? 1 : -1;
  return matches.at((at + step) % matches.length) ?? null;
}

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
