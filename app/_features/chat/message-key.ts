import type { EntryWire } from "@/lib/chat/wire/messages";
import { isEditableAnswer } from "./answer-texts";

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

export function messageActionOf(press: MessageKeyPress, entry: EntryWire): MessageAction | null {
  if (press.metaKey || press.ctrlKey || press.altKey) return null;
  const action = actions.get(press.key) ?? null;
  if (action === "edit") return isEditable(entry) ? action : null;
  if (action === "again") {
    return entry.message.role === "assistant" && entry.parentId !== null ? action : null;
  }
  return action;
}

export function isEditable(entry: EntryWire): boolean {
  return isQuestion(entry) || isEditableAnswer(entry);
}

/** Notes and summaries have the role `user` but cannot be edited. */
export function isQuestion({ message, compaction }: EntryWire): boolean {
  return message.role === "user" && !message.metadata?.note && !compaction;
}
