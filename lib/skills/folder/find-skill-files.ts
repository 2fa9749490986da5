import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { SkillSourceError } from "../skill-source";
import { realPathInside } from "./read-file-inside";

export interface SkillFile {
  /** Path from the root, with `/` on every system; the root's own name for itself. */
  readonly key: string;
  readonly folder: string;
  readonly path: string;
  readonly problem: string | null;
}

const skillFileName = "SKILL.md";
/** A wrong folder, such as a home folder or a disk, has more entries. */
const maxEntries = 20_000;
const maxDepth = 8;

/**
 * Skips hidden folders and `node_modules`. Links are not followed; one that leads out is reported.
 * @throws {SkillSourceError} for a folder with too many entries.
 */
export async function findSkillFiles(root: string): Promise<SkillFile[]> {
  const found: SkillFile[] = [];
  const waiting = [{ folder: root, names: [] as string[] }];
  let seen = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, names } = next;
    const entries = await entriesOf(folder);
    if (entries === null) {
      found.push({ key: keyOf(root, names), folder, path: folder, problem: "it cannot be opened" });
      continue;
    }
    seen += entries.length;
    if (seen > maxEntries) {
      throw new SkillSourceError(
        `The folder ${root} holds more than ${maxEntries.toLocaleString("en")} files. Name one that holds skills alone.`,
      );
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === skillFileName) {
        found.push({ key: keyOf(root, names), folder, path, problem: null });
      } else if (isFolderName(entry) && entry.isDirectory() && names.length < maxDepth) {
        waiting.push({ folder: path, names: [...names, entry.name] });
      } else if (isFolderName(entry) && entry.isSymbolicLink()) {
        found.push(...(await strayLink(root, { path, names: [...names, entry.name] })));
      }
    }
  }
  return found;
}

async function strayLink(
  root: string,
  { path, names }: { path: string; names: string[] },
): Promise<SkillFile[]> {
  if ((await realPathInside(root, join(path, skillFileName))) !== "outside") return [];
  const problem = "it is a link that leads out of the folder";
  return [{ key: keyOf(root, names), folder: path, path, problem }];
}

function keyOf(root: string, names: readonly string[]): string {
  if (names.length > 0) return names.join("/");
  return basename(root).replace(/^\.+/, "") || "skill";
}

async function entriesOf(folder: string): Promise<Dirent[] | null> {
  return readdir(folder, { withFileTypes: true }).catch(() => null);
}

function isFolderName({ name }: Dirent): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}
