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

/** `null` where no action applies, such as editing an answer. */
export function messageActionOf(press: MessageKeyPress, entry: EntryWire): MessageAction | null {
  if (press.metaKey || press.ctrlKey || press.altKey) return null;
  const action = actions.get(press.key) ?? null;
  if (action === "edit") return isQuestion(entry) ? action : null;
  if (action === "again") {
    return entry.message.role === "assistant" && entry.parentId !== null ? action : null;
  }
  return action;
}

/** Notes and summaries have the role `user` but cannot be edited. */
export function isQuestion({ message, compaction }: EntryWire): boolean {
  return message.role === "user" && !message.metadata?.note && !compaction;
}
