import type { FileEntry } from "@/app/_hooks/drawer/use-import-files";
import { parseSkill } from "@/lib/skills/parse-skill";
import { importDocument, titleFromFileName } from "./import-document";

/** A text file as an entry of the knowledge block. */
export function knowledgeFromFile(fileName: string, text: string): FileEntry {
  const { document, problem } = importDocument(fileName, text);
  return document ? { entry: document, problem: null } : { entry: null, problem };
}

/** A `SKILL.md` file as a skill. */
export function skillFromFile(fileName: string, text: string): FileEntry {
  const { document, problem } = importDocument(fileName, text);
  if (!document) return { entry: null, problem };
  const { title, description, content } = parseSkill(document.content, titleFromFileName(fileName));
  if (content === "") return { entry: null, problem: `“${fileName}” has no instructions in it.` };
  const entry = { title: title.slice(0, 200), content };
  return {
    entry: description === null ? entry : { ...entry, description: description.slice(0, 1_000) },
    problem: null,
  };
}
