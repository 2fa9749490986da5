/** A text that was typed and not yet saved, with the version it was typed against. */
export interface TextDraft {
  readonly text: string;
  readonly version: number;
}

const prefix = "grove:text-draft:";

/** The draft kept under `key` in this browser; `null` when there is none or storage is not to be had. */
export function readTextDraft(key: string): TextDraft | null {
  try {
    return parseDraft(localStorage.getItem(prefix + key));
  } catch {
    return null;
  }
}

/** Keeps a draft until it is saved; `null` forgets it. */
export function writeTextDraft(key: string, draft: TextDraft | null): void {
  try {
    if (draft) localStorage.setItem(prefix + key, JSON.stringify(draft));
    else localStorage.removeItem(prefix + key);
  } catch {
    // Storage that is full or forbidden costs the draft after a crash, not the text on the page.
  }
}

function parseDraft(stored: string | null): TextDraft | null {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  if (typeof value !== "object" || value === null) return null;
  if (!("text" in value && "version" in value)) return null;
  const { text, version } = value;
  return typeof text === "string" && typeof version === "number" ? { text, version } : null;
}
