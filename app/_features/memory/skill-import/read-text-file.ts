/** What one entry may hold is 200,000 characters, of at most 4 bytes each. */
export const maxTextBytes = 800_000;

/** Either the text of a file, or a sentence saying why it has none that can be added. */
export type TextOfFile =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string };

/** Reads a text file. One that is too large is not read at all, and bytes that are no text are refused. */
export async function readTextFile(name: string, file: Blob): Promise<TextOfFile> {
  if (file.size > maxTextBytes) return { text: null, problem: tooLarge(name) };
  try {
    return textOf(name, new Uint8Array(await file.arrayBuffer()));
  } catch {
    return { text: null, problem: `“${name}” cannot be read. It may have been moved or changed.` };
  }
}

/** The text in bytes that are UTF-8. */
export function textOf(name: string, bytes: Uint8Array): TextOfFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { text, problem: null };
  } catch {
    // What is not UTF-8 is told like any other file without text.
  }
  return { text: null, problem: `“${name}” is not a text file.` };
}

export function tooLarge(name: string): string {
  return `“${name}” is larger than 800 KB. Split it and add the parts.`;
}
