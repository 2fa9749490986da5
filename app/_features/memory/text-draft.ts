import { readStored, writeStored } from "@/app/_ui/store";

/** Unsaved text with its base version. */
export interface TextDraft {
  readonly text: string;
  readonly version: number;
}

/** Reads a draft from local storage. */
export function readTextDraft(key: string): TextDraft | null {
  const value = readStored(`text-draft:${key}`);
  if (typeof value !== "object" || value === null) return null;
  if (!("text" in value && "version" in value)) return null;
  const { text, version } = value;
  return typeof text === "string" && typeof version === "number" ? { text, version } : null;
}

/** Stores a draft until saved; `null` removes it. */
export function writeTextDraft(key: string, draft: TextDraft | null): void {
  writeStored(`text-draft:${key}`, draft);
}
