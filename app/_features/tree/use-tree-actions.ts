"use client";

import { toastError } from "@/app/_api/toast-error";
import { messageText } from "@/app/_data/chat/message-text";
import {
  useDeleteMessages,
  useMessage,
  usePinMessage,
  useRestoreMessages,
} from "@/app/_data/chat/use-messages";
import { toastDone, toastUndo } from "@/app/_ui/toast";
import type { TreeNodeWire } from "@/lib/chat/wire/branches";
import type { TreeRow } from "./tree-rows";

/** Before the first message, `question` is put into the composer. */
type Move = (messageId: string | null, question?: string) => void;

export interface TreeActionsOptions {
  sessionId: string;
  onOpenLeaf: (messageId: string) => void;
  onOpenSummary: (toMessageId: string) => void;
  onContinueAfter: Move;
  onCarryOver: Move;
  onCompare: (left: string, right: string) => void;
  onLabel: (messageId: string, label: string | null) => void;
  /** Possibly with the current leaf. */
  onDeleted: (messageIds: readonly string[]) => void;
}

/** A question continues before it, with its text in the composer; anything else continues after it. */
export function useTreeActions(options: TreeActionsOptions) {
  const {
    sessionId,
    onOpenLeaf,
    onOpenSummary,
    onContinueAfter,
    onCarryOver,
    onCompare,
    onLabel,
    onDeleted,
  } = options;
  const message = useMessage(sessionId);
  const deletion = useDeleteMessages(sessionId);
  const restoring = useRestoreMessages(sessionId);
  const pinning = usePinMessage(sessionId);

  function choose({ item }: TreeRow, move: Move = onContinueAfter) {
    if (item.kind === "compaction") move(item.compaction.toMessageId);
    else if (item.node.role === "user") editAgain(item.node, move);
    else move(item.node.id);
  }

  function goTo({ item }: TreeRow) {
    if (item.kind === "compaction") onOpenSummary(item.compaction.toMessageId);
    else onOpenLeaf(item.node.id);
  }

  function editAgain(node: TreeNodeWire, move: Move) {
    message.mutate(node.id, {
      onSuccess: (found) => {
        if (found === null) toastError("This message no longer exists.");
        // A note cannot be edited as a question.
        else if (found.metadata?.note) move(node.id);
        else move(node.parentId, messageText(found));
      },
      onError: (error) => toastError(error, () => editAgain(node, move)),
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
        onError: (error) => toastError(error, () => deleteUnder(node, id)),
      },
    );
  }

  function undelete(deletionId: string) {
    restoring.mutate(deletionId, {
      onSuccess: () => toastDone("Restored."),
      onError: (error) => toastError(error, () => undelete(deletionId)),
    });
  }

  function setPinned(node: TreeNodeWire, pinned: boolean) {
    pinning.mutate({ messageId: node.id, pinned }, { onError: (error) => toastError(error) });
  }

  return {
    choose: (row: TreeRow) => choose(row),
    carryOver: (row: TreeRow) => choose(row, onCarryOver),
    goTo,
    deleteUnder: (node: TreeNodeWire) => deleteUnder(node),
    setPinned,
    editLabel: (node: TreeNodeWire) => onLabel(node.id, node.label),
    compare: onCompare,
    open: onOpenLeaf,
    isChoosing: message.isPending,
  };
}

export type TreeActions = ReturnType<typeof useTreeActions>;
