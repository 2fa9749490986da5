import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { entryKeyFor } from "@/lib/session/tools/entry-key";
import { parseSkill } from "@/lib/skills/parse-skill";
import type { FoundFile, FoundFiles } from "./found-file";

/** What becomes of one file: a skill that is written, or a sentence saying why it is not. */
export type PlannedSkill = { readonly path: string; readonly title: string } & (
  | {
      readonly status: "new" | "replaces" | "unchanged";
      readonly key: string;
      readonly description: string | null;
      readonly content: string;
      /** The version that is replaced; `null` for a new skill. */
      readonly seenVersion: number | null;
    }
  | { readonly status: "invalid"; readonly problem: string }
);

export type WritableSkill = Extract<PlannedSkill, { key: string }>;

export interface ImportPlan {
  readonly skills: readonly PlannedSkill[];
  readonly leftOut: number;
  readonly problems: readonly string[];
}

const maxCharacters = 200_000;
const maxTitleCharacters = 200;
const maxDescriptionCharacters = 1_000;

type Known = Pick<EntryDocumentWire, "key" | "title" | "description" | "content" | "version">;

/** What an import would do to the skills there are. Of two files with the same name the first counts. */
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
    const problem = `“${first}” in this import has the same name.`;
    return { path: file.path, title: planned.title, status: "invalid", problem };
  });
  return { skills, leftOut: found.leftOut, problems: found.problems };
}

/** The skills of a plan that change something. */
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
  const title = cut(skill.title.trim(), maxTitleCharacters);
  const description = skill.description && cut(skill.description, maxDescriptionCharacters);
  const key = entryKeyFor(title);
  const before = known.find((entry) => entry.key === key);
  const { content } = skill;
  const facts = { path, title, key, description, content };
  if (!before) return { ...facts, status: "new", seenVersion: null };
  const isSame =
    before.title === title && before.description === description && before.content === content;
  return { ...facts, status: isSame ? "unchanged" : "replaces", seenVersion: before.version };
}

/** `pdf/SKILL.md` → `pdf`, `notes.md` → `notes`. */
function fallbackTitle(path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== "..");
  const name = names.at(-1) ?? path;
  const folder = names.at(-2);
  if (name.toLowerCase() === "skill.md" && folder) return cut(folder, maxTitleCharacters);
  return cut(name.replace(/\.[^.]+$/, "") || name, maxTitleCharacters);
}

/** No character is cut in two. */
function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}
