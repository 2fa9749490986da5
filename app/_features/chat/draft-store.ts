import { createStore, createStores } from "@/app/_ui/store";

/** Unsent text by session; `newChat` names the composer of a new chat. */
export const draftOf = createStores((sessionId) =>
  createStore("", {
    name: `draft:${sessionId}`,
    parse: (stored) => (typeof stored === "string" ? stored : null),
    serialize: (text) => text || null,
    delayMs: 250,
  }),
);

export const newChat = "new";

export function writeDraft(sessionId: string, text: string): void {
  draftOf(sessionId).update(() => text);
}
