import {
  type CompanionFile,
  companionsOf,
  type FoundFile,
  type FoundFiles,
  isSkillPath,
  maxCompanionBytes,
  maxCompanions,
  tooLargeForCompanion,
} from "./found-file";
import { readSkillZip, zipLimits } from "./read-skill-zip";
import { readTextFile, type TextOfFile } from "./read-text-file";

export interface PickedFile {
  readonly path: string;
  readonly file: File;
}

const maxFiles = 20_000;

export function filesOfInput(files: FileList | null): PickedFile[] {
  return [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Returns `null` when there are far too many. */
export async function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[] | null> {
  // Entries must be taken synchronously: the transfer is emptied after the event.
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const waiting: FileSystemEntry[] = [];
  const picked: PickedFile[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    // Content of a page, such as an image, has no entry.
    const file = entry ? null : item.getAsFile();
    if (entry) waiting.push(entry);
    if (file) picked.push({ path: file.name, file });
  }
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (picked.length + waiting.length > maxFiles) return null;
    const path = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) picked.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    else waiting.push(...(await entriesIn(entry as FileSystemDirectoryEntry)));
  }
  return picked;
}

export async function findSkills(picked: readonly PickedFile[]): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const companions: CompanionFile[] = [];
  const problems: string[] = [];
  let leftOut = 0;
  const inFolders = picked.map(({ path }) => path).filter((path) => path.includes("/"));
  const skillOf = companionsOf(inFolders);
  for (const { path, file } of picked) {
    const isAlone = !path.includes("/");
    const skillPath = skillOf.get(path);
    if (isAlone && /\.(zip|skill)$/i.test(path)) {
      const inside = await readSkillZip(path, file);
      files.push(...inside.files);
      companions.push(...inside.companions);
      problems.push(...inside.problems);
      leftOut += inside.leftOut;
    } else if (isSkillPath(path) || (isAlone && /\.(md|markdown)$/i.test(path))) {
      files.push({ path, ...(await readTextFile(path, file)) });
    } else if (skillPath !== undefined && companions.length < maxCompanions) {
      companions.push({ path, skillPath, ...(await readCompanion(path, file)) });
    } else leftOut++;
    if (files.length > zipLimits.skills) {
      const problem = "An import can contain up to 500 skills.";
      return { files: [], companions: [], leftOut: 0, problems: [problem] };
    }
  }
  return { files, companions, leftOut, problems };
}

async function readCompanion(path: string, file: File): Promise<TextOfFile> {
  if (file.size > maxCompanionBytes) return { text: null, problem: tooLargeForCompanion(path) };
  return readTextFile(path, file);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** The reader returns batches, ended by an empty one. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  while (entries.length <= maxFiles) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) break;
    entries.push(...part);
  }
  return entries;
}
