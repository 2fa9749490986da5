import { createStore, createStores } from "@/app/_ui/store";

/** The unsent text of each session; `newChat` names the composer of a session that does not exist yet. */
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
