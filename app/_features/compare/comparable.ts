import { messageText } from "@/app/_features/chat/message-text";
import type { EntryWire } from "@/lib/chat/wire/messages";

/**
 * Returns true when the messages at `index` answer the same: the first ones, since both follow the common ancestor;
 * later ones when the preceding questions are identical.
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
