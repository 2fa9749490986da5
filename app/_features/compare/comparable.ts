import { messageText } from "@/app/_features/chat/message-text";
import type { EntryWire } from "@/lib/chat/wire/messages";

/**
 * Whether the messages at `index` of two branches answer the same: the first ones do, since both follow the message the
 * branches share; later ones when the questions right before them are word for word the same.
 */
export function answersSame(
  left: readonly EntryWire[],
  right: readonly EntryWire[],
  index: number,
): boolean {
  const [ours, theirs] = [left[index]?.message, right[index]?.message];
  if (!ours || !theirs || ours.role !== theirs.role) return false;
  if (index === 0) return true;
  const [before, beside] = [left[index - 1]?.message, right[index - 1]?.message];
  const areQuestions = before?.role === "user" && beside?.role === "user";
  return areQuestions && messageText(before).trim() === messageText(beside).trim();
}
