import { useEffect } from "react";
import { toastError } from "@/app/_api/toast-error";
import { createStore, createStores, useStore } from "@/app/_ui/store";

type EditorPlace = "chat" | "beside";

const editorOf = createStores(() => createStore<EditorPlace | null>(null));

/** Two editors of one answer share its draft, so each would remove the text of the other. */
export function useOpenEditor(messageId: string, place: EditorPlace | null): void {
  useEffect(() => {
    if (place === null) return;
    const { update } = editorOf(messageId);
    update(() => place);
    return () => update(() => null);
  }, [messageId, place]);
}

export function useIsEditedAt(place: EditorPlace, messageId: string): boolean {
  return useStore(editorOf(messageId)) === place;
}

export function refusesEditor(messageId: string | null): boolean {
  if (messageId === null || editorOf(messageId).read() !== "beside") return false;
  toastError("You're editing code of this answer beside the chat. Save or cancel it there first.");
  return true;
}
