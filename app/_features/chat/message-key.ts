import type { EntryWire } from "@/lib/chat/wire/messages";
import { isEditableAnswer } from "./answer-texts";

export type MessageAction = "copy" | "edit" | "again" | "continue";

const actions: ReadonlyMap<string, MessageAction> = new Map([
  ["c", "copy"],
  ["e", "edit"],
  ["r", "again"],
  ["b", "continue"],
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
  if (action === "again") return canRegenerate(entry) && entry.parentId !== null ? action : null;
  if (action === "continue") return isQuestion(entry) ? null : action;
  return action;
}

export function canRegenerate({ message }: EntryWire): boolean {
  return message.role === "assistant" && !hasFailed(message.metadata);
}

function hasFailed(metadata: EntryWire["message"]["metadata"]): boolean {
  return metadata?.status === "failed" || metadata?.error !== undefined;
}

export function isEditable(entry: EntryWire): boolean {
  return isQuestion(entry) || isEditableAnswer(entry);
}

/** Notes and summaries have the role `user` but cannot be edited. */
export function isQuestion({ message, compaction }: EntryWire): boolean {
  return message.role === "user" && !message.metadata?.note && !compaction;
}
