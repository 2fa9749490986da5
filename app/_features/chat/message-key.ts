import type { EntryWire } from "@/lib/chat/wire/messages";

export type MessageAction = "copy" | "edit" | "again" | "branch";

const actions: ReadonlyMap<string, MessageAction> = new Map([
  ["c", "copy"],
  ["e", "edit"],
  ["r", "again"],
  ["b", "branch"],
]);

export interface MessageKeyPress {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
}

/** What a key means on a message; `null` when it means nothing there, as with an answer that cannot be edited. */
export function messageActionOf(press: MessageKeyPress, entry: EntryWire): MessageAction | null {
  if (press.metaKey || press.ctrlKey || press.altKey) return null;
  const action = actions.get(press.key) ?? null;
  if (action === "edit") return isQuestion(entry) ? action : null;
  if (action === "again") {
    return entry.message.role === "assistant" && entry.parentId !== null ? action : null;
  }
  return action;
}

/**
 * A note is no question of the person's: it is taken back and made anew rather than asked differently. Nor is a summary,
 * although it goes to the model as one.
 */
export function isQuestion({ message, compaction }: EntryWire): boolean {
  return message.role === "user" && !message.metadata?.note && !compaction;
}
