import { readStored, writeStored } from "@/app/_ui/stored-json";

const persistAfterMs = 250;

/** What was typed and not sent, for each session; `newChat` is the composer of a session that does not exist yet. */
function createDraftStore() {
  const listeners = new Set<() => void>();
  const drafts = new Map<string, string>();
  const unsaved = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function persist() {
    clearTimeout(timer);
    for (const sessionId of unsaved) writeStored(keyOf(sessionId), drafts.get(sessionId) || null);
    unsaved.clear();
  }

  return {
    read(sessionId: string): string {
      const known = drafts.get(sessionId);
      if (known !== undefined) return known;
      const stored = readStored<string>(keyOf(sessionId)) ?? "";
      drafts.set(sessionId, stored);
      return stored;
    },
    write(sessionId: string, text: string): void {
      drafts.set(sessionId, text);
      unsaved.add(sessionId);
      clearTimeout(timer);
      timer = setTimeout(persist, persistAfterMs);
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      // Closing the tab right after typing must not cost the last words.
      if (listeners.size === 0) addEventListener("pagehide", persist);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        persist();
        if (listeners.size === 0) removeEventListener("pagehide", persist);
      };
    },
  };
}

function keyOf(sessionId: string): string {
  return `grove:draft:${sessionId}`;
}

/** Names the composer of a session that does not exist yet. */
export const newChat = "new";

export const draftStore = createDraftStore();
