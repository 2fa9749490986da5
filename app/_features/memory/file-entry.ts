import { importDocument } from "./import-document";
import type { FileEntry } from "./use-import-files";

export function knowledgeFromFile(fileName: string, text: string): FileEntry {
  const { document, problem } = importDocument(fileName, text);
  return document ? { entry: document, problem: null } : { entry: null, problem };
}
