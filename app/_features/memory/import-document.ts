import { isolated } from "@/app/_ui/isolated";

interface ImportedDocument {
  readonly title: string;
  readonly content: string;
}

export const maxEntryCharacters = 200_000;

export type ImportResult =
  | { readonly document: ImportedDocument; readonly problem: null }
  | { readonly document: null; readonly problem: string };

export function importDocument(fileName: string, text: string): ImportResult {
  const content = text.replace(/^\uFEFF/, "");
  const problem = problemWith(fileName, content);
  if (problem) return { document: null, problem };
  return { document: { title: titleFromFileName(fileName), content }, problem: null };
}

export function titleFromFileName(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? fileName;
  return (name.replace(/\.[^.]+$/, "") || name).slice(0, 200);
}

function problemWith(fileName: string, content: string): string | null {
  // Decoded binary data contains U+0000 or the replacement character.
  if (/[\0\uFFFD]/.test(content)) return `“${isolated(fileName)}” is not a text file.`;
  if (content.trim() === "") return `“${isolated(fileName)}” is empty.`;
  if (content.length > maxEntryCharacters) {
    return `“${isolated(fileName)}” is longer than 200,000 characters. Split it and add the parts.`;
  }
  return null;
}
