import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { readTextDraft, writeTextDraft } from "./text-draft";

export interface EntryText {
  readonly title: string;
  readonly description: string;
  readonly content: string;
}

export interface EntryDraft {
  readonly text: EntryText;
  readonly version: number;
}

export function entryText(entry: EntryDocumentWire | null): EntryText {
  return {
    title: entry?.title ?? "",
    description: entry?.description ?? "",
    content: entry?.content ?? "",
  };
}

export function sameText(one: EntryText, other: EntryText): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.content === other.content
  );
}

export function readEntryDraft(key: string): EntryDraft | null {
  const draft = readTextDraft(key);
  const text = draft && parseText(draft.text);
  return draft && text ? { text, version: draft.version } : null;
}

/** `null` removes it. */
export function writeEntryDraft(key: string, draft: EntryDraft | null): void {
  writeTextDraft(key, draft && { text: JSON.stringify(draft.text), version: draft.version });
}

function parseText(stored: string): EntryText | null {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null) return null;
    const { title, description, content } = value as Record<string, unknown>;
    const isText = [title, description, content].every((field) => typeof field === "string");
    return isText ? (value as EntryText) : null;
  } catch {
    return null;
  }
}
