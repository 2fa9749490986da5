/** A file that may hold a skill: its text, or a sentence saying why it cannot be one. */
export type FoundFile =
  | { readonly path: string; readonly text: string; readonly problem: null }
  | { readonly path: string; readonly text: null; readonly problem: string };

/** What was found in files a person picked. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files beside skills, which are not imported. */
  readonly leftOut: number;
  /** Sentences about archives and folders that were refused as a whole. */
  readonly problems: readonly string[];
}

/** Whether a path is that of a `SKILL.md`, outside hidden folders and other people's packages. */
export function isSkillPath(path: string): boolean {
  const names = path.split("/");
  const isHidden = (name: string) => /^\.[^.]/.test(name) || name === "node_modules";
  return names.at(-1)?.toLowerCase() === "skill.md" && !names.slice(0, -1).some(isHidden);
}
