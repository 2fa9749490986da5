import { isolated } from "@/app/_ui/isolated";

export type FoundFile =
  | { readonly path: string; readonly text: string; readonly problem: null }
  | { readonly path: string; readonly text: null; readonly problem: string };

export type CompanionFile = FoundFile & { readonly skillPath: string };

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly companions: readonly CompanionFile[];
  readonly leftOut: number;
  readonly problems: readonly string[];
}

export const maxCompanions = 1_000;
/** Larger files are pictures, recordings or libraries. */
export const maxCompanionBytes = 400_000;

export function isSkillPath(path: string): boolean {
  const names = path.split("/");
  return names.at(-1)?.toLowerCase() === "skill.md" && !names.slice(0, -1).some(isHidden);
}

export function companionsOf(paths: readonly string[]): Map<string, string> {
  const skills = new Map(paths.filter(isSkillPath).map((path) => [folderOf(path), path]));
  const companions = new Map<string, string>();
  for (const path of paths) {
    if (isSkillPath(path) || path.split("/").some(isHidden)) continue;
    for (let folder: string | null = folderOf(path); folder !== null; folder = above(folder)) {
      const skill = skills.get(folder);
      if (skill === undefined) continue;
      companions.set(path, skill);
      break;
    }
  }
  return companions;
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function tooLargeForCompanion(path: string): string {
  return `“${isolated(path)}” is larger than ${maxCompanionBytes / 1_000} KB.`;
}

function above(folder: string): string | null {
  return folder === "" ? null : folderOf(folder);
}

function isHidden(name: string): boolean {
  return /^\.[^.]/.test(name) || name === "node_modules" || name === "__MACOSX";
}
