import { entryKeyFor, parseSkill } from "grove-session/browser";
import { isolated } from "@/app/_ui/isolated";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { type CompanionFile, type FoundFile, type FoundFiles, folderOf } from "./found-file";

export type PlannedSkill = { readonly path: string; readonly title: string } & (
  | {
      readonly status: "new" | "replaces" | "unchanged";
      readonly key: string;
      readonly description: string | null;
      readonly content: string;
      /** `null` for a new skill. */
      readonly seenVersion: number | null;
      readonly files: readonly PlannedFile[];
    }
  | { readonly status: "invalid"; readonly problem: string }
);

/** Loaded as `<skill>/<relative path>`, as the skill's instructions name it. */
export interface PlannedFile {
  readonly path: string;
  readonly status: "new" | "replaces" | "unchanged";
  readonly key: string;
  readonly title: string;
  readonly description: null;
  readonly content: string;
  readonly seenVersion: number | null;
}

export type WritableSkill = Extract<PlannedSkill, { key: string }>;

export interface ImportPlan {
  readonly skills: readonly PlannedSkill[];
  readonly leftOutFiles: readonly string[];
  readonly leftOut: number;
  readonly problems: readonly string[];
}

const maxCharacters = 200_000;
const maxKeyCharacters = 200;
/** More than a skill's instructions can reasonably name. */
const maxFilesOfSkill = 100;
const maxTitleCharacters = 200;
const maxDescriptionCharacters = 1_024;

type Known = Pick<EntryDocumentWire, "key" | "title" | "description" | "content" | "version">;

export function planImport(found: FoundFiles, known: readonly Known[]): ImportPlan {
  const taken = new Map<string, string>();
  const skills = found.files.map((file): PlannedSkill => {
    const planned = planFile(file, known);
    if (planned.status === "invalid") return planned;
    const first = taken.get(planned.key);
    if (first === undefined) {
      taken.set(planned.key, file.path);
      return planned;
    }
    const problem = `“${isolated(first)}” in this import has the same name.`;
    return { path: file.path, title: planned.title, status: "invalid", problem };
  });
  const withFiles = skills.map((skill) => ({ skill, ...filesOf(skill, found.companions, known) }));
  return {
    skills: withFiles.map(({ skill, files }) => ("key" in skill ? { ...skill, files } : skill)),
    leftOutFiles: withFiles.flatMap(({ problems }) => problems),
    leftOut: found.leftOut,
    problems: found.problems,
  };
}

export function filesToWrite({ skills }: ImportPlan): PlannedFile[] {
  return skills
    .flatMap((skill) => ("key" in skill ? skill.files : []))
    .filter(({ status }) => status !== "unchanged");
}

function filesOf(
  skill: PlannedSkill,
  companions: readonly CompanionFile[],
  known: readonly Known[],
): { files: PlannedFile[]; problems: string[] } {
  const files: PlannedFile[] = [];
  const problems: string[] = [];
  if (!("key" in skill)) return { files, problems };
  const own = companions.filter(({ skillPath }) => skillPath === skill.path);
  for (const [n, file] of own.entries()) {
    const folder = folderOf(skill.path);
    const path = folder === "" ? file.path : file.path.slice(folder.length + 1);
    const key = `${skill.key}/${path}`;
    const problem = problemWith(file, { n, key });
    if (problem !== null || file.text === null) {
      problems.push(problem ?? "");
      continue;
    }
    const content = file.text.replace(/^\uFEFF/, "");
    const before = known.find((entry) => entry.key === key);
    const status = !before ? "new" : before.content === content ? "unchanged" : "replaces";
    const seenVersion = before?.version ?? null;
    files.push({ path, status, key, title: key, description: null, content, seenVersion });
  }
  return { files, problems };
}

function problemWith(
  { path, text, problem }: CompanionFile,
  { n, key }: { n: number; key: string },
): string | null {
  if (problem !== null) return problem;
  if (text.trim() === "") return `“${isolated(path)}” is empty.`;
  if (text.length > maxCharacters) return `“${isolated(path)}” is longer than 200,000 characters.`;
  if (key.length > maxKeyCharacters) return `“${isolated(path)}” has too long a name.`;
  if (n >= maxFilesOfSkill)
    return `“${isolated(path)}” is one of more than ${maxFilesOfSkill} files.`;
  return null;
}

export function skillsToWrite({ skills }: ImportPlan): WritableSkill[] {
  return skills.flatMap((skill) =>
    skill.status === "new" || skill.status === "replaces" ? [skill] : [],
  );
}

function planFile({ path, text, problem }: FoundFile, known: readonly Known[]): PlannedSkill {
  const fallback = fallbackTitle(path);
  const invalid = (why: string): PlannedSkill => ({
    path,
    title: fallback,
    status: "invalid",
    problem: why,
  });
  if (problem !== null) return invalid(problem);
  const skill = parseSkill(text, fallback);
  if (skill.content === "") return invalid("It has no instructions in it.");
  if (skill.content.length > maxCharacters) return invalid("It is longer than 200,000 characters.");
  const title = skill.title.trim();
  const { description } = skill;
  if (title.length > maxTitleCharacters) return invalid("Its name is longer than 200 characters.");
  if ((description?.length ?? 0) > maxDescriptionCharacters)
    return invalid("Its description is longer than 1,024 characters.");
  const key = entryKeyFor(title);
  const before = known.find((entry) => entry.key === key);
  const { content } = skill;
  const facts = { path, title, key, description, content, files: [] };
  if (!before) return { ...facts, status: "new", seenVersion: null };
  const isSame =
    before.title === title && before.description === description && before.content === content;
  return { ...facts, status: isSame ? "unchanged" : "replaces", seenVersion: before.version };
}

function fallbackTitle(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== "..");
  const name = names.at(-1) ?? path;
  const folder = names.at(-2);
  if (name.toLowerCase() === "skill.md" && folder) return folder;
  return name.replace(/\.[^.]+$/, "") || name;
}
