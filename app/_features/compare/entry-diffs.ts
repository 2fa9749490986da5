import { messageText } from "@/app/_features/chat/message-text";
import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";
import { plainMarkdown } from "@/lib/session/search/plain-markdown";
import { type WordDiff, wordDiff } from "./word-diff";

/** `"unlike"` when too different, `null` when not comparable. */
export function entryDiffs(
  left: readonly EntryWire[],
  right: readonly EntryWire[],
): readonly (WordDiff | "unlike" | null)[] {
  return left.map(({ message }, index) => {
    const other = right[index]?.message;
    if (!other || !answersSame(left, right, index)) return null;
    return wordDiff(readableText(message), readableText(other)) ?? "unlike";
  });
}

/** Marks need plain text, so formatting is removed. */
function readableText(message: GroveMessage): string {
  const text = messageText(message);
  return message.role === "user" ? text : plainMarkdown(text);
}

/**
 * The first messages follow the common ancestor; later ones answer the same only when the preceding questions are
 * identical.
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
