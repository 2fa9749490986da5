import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";

/** Of its text parts, in order, as the person edits them. */
export function answerTexts({ parts }: Pick<GroveMessage, "parts">): string[] {
  return parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
}

/** One that waits for the person's word is decided first. */
export function isEditableAnswer({ message, compaction }: EntryWire): boolean {
  const { role, metadata } = message;
  if (role !== "assistant" || compaction || metadata?.note || metadata?.status === "paused")
    return false;
  return answerTexts(message).length > 0;
}

/** A draft of `count` texts; `null` for any other. */
export function storedTexts(draft: string, count: number): string[] | null {
  if (draft === "") return null;
  try {
    const texts: unknown = JSON.parse(draft);
    const isFitting = Array.isArray(texts) && texts.length === count;
    return isFitting && texts.every((text) => typeof text === "string") ? texts : null;
  } catch {
    return null;
  }
}
