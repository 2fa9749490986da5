import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";

export function answerTexts({ parts }: Pick<GroveMessage, "parts">): string[] {
  return parts.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
}

export function isEditableAnswer({ message, compaction }: EntryWire): boolean {
  const { role, metadata } = message;
  if (role !== "assistant" || compaction || metadata?.note || metadata?.status === "paused")
    return false;
  return answerTexts(message).length > 0;
}

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
