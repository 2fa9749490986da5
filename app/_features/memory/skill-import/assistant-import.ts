import { entryKeyFor } from "grove-session/browser";
import { isolated } from "@/app/_ui/isolated";
import { assistantProblem, readAssistant } from "@/lib/chat/wire/assistants";
import type { FoundFile, FoundFiles } from "./found-file";
import type { ImportPlan, PlannedSkill, planImport } from "./import-plan";
import type { PickedFile } from "./picked-files";
import { readSkillZip, zipLimits } from "./read-skill-zip";
import { readTextFile } from "./read-text-file";

const mostFiles = 200;
const asInZips = {
  limits: { ...zipLimits, skills: mostFiles },
  isWanted: (path: string) => isMarkdown(path) && !isHidden(path),
  noun: "assistants",
};
const maxCharacters = 200_000;

const isMarkdown = (path: string) => /\.(md|markdown)$/i.test(path);
/** macOS adds such files to archives. */
const isHidden = (path: string) => /(^|\/)__MACOSX\/|(^|\/)\._[^/]*$/.test(path);

/** Every Markdown file is an assistant, as in folders of coding agents, also inside zip archives. */
export async function findAssistants(picked: readonly PickedFile[]): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const problems: string[] = [];
  let leftOut = 0;
  for (const { path, file } of picked) {
    if (/\.zip$/i.test(path)) {
      const inside = await readSkillZip(path, file, asInZips);
      files.push(...inside.files);
      problems.push(...inside.problems);
      leftOut += inside.leftOut + inside.companions.length;
    } else if (isMarkdown(path)) files.push({ path, ...(await readTextFile(path, file)) });
    else leftOut++;
    if (files.length > mostFiles) {
      const problem = `An import can contain up to ${mostFiles} assistants.`;
      return { files: [], companions: [], leftOut: 0, problems: [problem] };
    }
  }
  return { files, companions: [], leftOut, problems };
}

type KnownAssistants = Parameters<typeof planImport>[1];

export function planAssistants(
  { files, leftOut, problems }: FoundFiles,
  known: KnownAssistants,
): ImportPlan {
  const names = new Map<string, string>();
  const skills = files.map((file): PlannedSkill => {
    const planned = planFile(file, known);
    if (planned.status === "invalid") return planned;
    const name = planned.title.toLowerCase();
    const first = names.get(name);
    names.set(name, first ?? file.path);
    if (first === undefined) return planned;
    const problem = `“${isolated(first)}” in this import has the same name.`;
    return { path: file.path, title: planned.title, status: "invalid", problem };
  });
  return { skills, leftOutFiles: [], leftOut, problems };
}

function planFile({ path, text, problem }: FoundFile, known: KnownAssistants): PlannedSkill {
  const fileName = path.split("/").at(-1) ?? path;
  const fallback = fileName.replace(/\.[^.]+$/, "") || fileName;
  const invalid = (why: string): PlannedSkill => {
    return { path, title: fallback, status: "invalid", problem: why };
  };
  if (problem !== null) return invalid(problem);
  if (text.trim() === "") return invalid("It is empty.");
  if (text.length > maxCharacters) return invalid("It is longer than 200,000 characters.");
  const unreadable = assistantProblem(text);
  if (unreadable !== null) return invalid(unreadable);
  const { name: title, description } = readAssistant(text, fallback);
  const isSame = (entry: KnownAssistants[number]) =>
    entry.title.toLowerCase() === title.toLowerCase();
  const before = known.find(isSame);
  const key = before?.key ?? entryKeyFor(title);
  const facts = { path, title, key, description, content: text, files: [] };
  if (!before) return { ...facts, status: "new", seenVersion: null };
  const status = before.content === text ? "unchanged" : "replaces";
  return { ...facts, status, seenVersion: before.version };
}

interface NamedText {
  readonly key: string;
  readonly title: string | null;
  readonly content: string;
}

/** A folder of Markdown files, as an import takes it. */
export async function zipOfAssistants(entries: readonly NamedText[]): Promise<Blob> {
  const { BlobWriter, TextReader, ZipWriter } = await import("@zip.js/zip.js/external");
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  const taken = new Set<string>();
  for (const { key, title, content } of entries) {
    // An import calls a text without a name by its file.
    const named = (title ?? key).replace(/[/\\:*?"<>|\p{Cc}]/gu, " ").trim();
    const name = named === "" || taken.has(named.toLowerCase()) ? key : named;
    taken.add(name.toLowerCase());
    await writer.add(`assistants/${name}.md`, new TextReader(content));
  }
  return writer.close();
}
