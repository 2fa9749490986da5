import { storedInSpace } from "@/app/_ui/page-space";
import { readStored, writeStored } from "@/app/_ui/store";

export interface TextDraft {
  readonly text: string;
  readonly version: number;
}

export function readTextDraft(key: string): TextDraft | null {
  const value = readStored(storedInSpace(`text-draft:${key}`));
  if (typeof value !== "object" || value === null) return null;
  if (!("text" in value && "version" in value)) return null;
  const { text, version } = value;
  return typeof text === "string" && typeof version === "number" ? { text, version } : null;
}

export function writeTextDraft(key: string, draft: TextDraft | null): void {
  writeStored(storedInSpace(`text-draft:${key}`), draft);
}
