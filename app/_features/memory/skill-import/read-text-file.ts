import { isolated } from "@/app/_ui/isolated";

/** An entry's limit of 200,000 characters, at 4 bytes each. */
export const maxTextBytes = 800_000;

export type TextOfFile =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string };

export async function readTextFile(name: string, file: Blob): Promise<TextOfFile> {
  if (file.size > maxTextBytes) return { text: null, problem: tooLarge(name) };
  try {
    return textOf(name, new Uint8Array(await file.arrayBuffer()));
  } catch {
    return {
      text: null,
      problem: `“${isolated(name)}” cannot be read. It may have been moved or changed.`,
    };
  }
}

export function textOf(name: string, bytes: Uint8Array): TextOfFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { text, problem: null };
  } catch {
    // Reported below like any other file without text.
  }
  return { text: null, problem: `“${isolated(name)}” is not a text file.` };
}

export function tooLarge(name: string): string {
  return `“${isolated(name)}” is larger than 800 KB. Split it and add the parts.`;
}
