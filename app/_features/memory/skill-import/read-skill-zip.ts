import type { FileEntry } from "@zip.js/zip.js";
import { formatCount } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
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
import { maxTextBytes, textOf, tooLarge } from "./read-text-file";

export interface ZipLimits {
  readonly archiveBytes: number;
  readonly entries: number;
  readonly skills: number;
  readonly totalBytes: number;
  readonly companionBytes: number;
  /** Inflated to packed size of one file. */
  readonly ratio: number;
}

export const zipLimits: ZipLimits = {
  archiveBytes: 100_000_000,
  entries: 5_000,
  skills: 500,
  totalBytes: 20_000_000,
  companionBytes: 20_000_000,
  ratio: 200,
};

/** Small texts may compress better than any ratio. */
const ratioCountsFrom = 64_000;

class Refusal extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

/**
 * Declared sizes are not trusted: bytes are counted while inflating, and exceeding a limit ends the read. Names are
 * never used as paths.
 */
export async function readSkillZip(
  name: string,
  archive: Blob,
  {
    limits = zipLimits,
    isWanted = isSkillPath,
    noun = "skills",
  }: { limits?: ZipLimits; isWanted?: (path: string) => boolean; noun?: string } = {},
): Promise<FoundFiles> {
  if (archive.size > limits.archiveBytes) {
    return refused(`“${isolated(name)}” is larger than ${megabytes(limits.archiveBytes)}.`);
  }
  const { BlobReader, ZipReader } = await import("@zip.js/zip.js/external");
  const reader = new ZipReader(new BlobReader(archive), { useWebWorkers: false });
  const files: FoundFile[] = [];
  const companions: CompanionFile[] = [];
  const budget = { left: limits.totalBytes };
  const companionBudget = { left: limits.companionBytes };
  const entries: FileEntry[] = [];
  let count = 0;
  let leftOut = 0;
  try {
    for await (const entry of reader.getEntriesGenerator({ filenameValidation: "tolerant" })) {
      count++;
      if (count > limits.entries) return refused(tooMany(name, limits.entries, "files"));
      if (!entry.directory) entries.push(entry);
    }
    const skillOf = companionsOf(entries.map(({ filename }) => filename));
    for (const entry of entries) {
      const skillPath = skillOf.get(entry.filename);
      if (isWanted(entry.filename)) {
        if (files.length === limits.skills) return refused(tooMany(name, limits.skills, noun));
        files.push(await readEntry(entry, { limits, budget }));
      } else if (skillPath !== undefined && companions.length < maxCompanions) {
        companions.push({ skillPath, ...(await readCompanion(entry, limits, companionBudget)) });
      } else leftOut++;
    }
  } catch (error) {
    if (error instanceof Refusal) return refused(`“${isolated(name)}”: ${error.message}`);
    return refused(`“${isolated(name)}” cannot be read as a zip archive.`);
  } finally {
    await reader.close();
  }
  return { files, companions, leftOut, problems: [] };
}

/** Files too large to be text are not inflated, and an oversized file affects only itself. */
async function readCompanion(
  entry: FileEntry,
  limits: ZipLimits,
  budget: { left: number },
): Promise<FoundFile> {
  const path = entry.filename;
  if (entry.uncompressedSize > maxCompanionBytes) return invalid(path, tooLargeForCompanion(path));
  if (entry.uncompressedSize > budget.left)
    return invalid(path, `“${isolated(path)}” is too large for one import.`);
  return readEntry(entry, { limits, budget });
}

async function readEntry(
  entry: FileEntry,
  { limits, budget }: { limits: ZipLimits; budget: { left: number } },
): Promise<FoundFile> {
  const path = entry.filename;
  if (!isPlainPath(path))
    return invalid(path, `“${isolated(path)}” has a path outside the archive.`);
  if (entry.encrypted) return invalid(path, `“${isolated(path)}” is encrypted.`);
  try {
    const bytes = await inflate(entry, { limits, budget });
    return { path, ...textOf(path, bytes) };
  } catch (error) {
    if (error instanceof Refusal && !error.isFinal) return invalid(path, error.message);
    if (error instanceof Refusal) throw error;
    if (isOverlap(error)) throw overlapRefusal();
    return invalid(path, `“${isolated(path)}” is damaged.`);
  }
}

async function inflate(
  entry: FileEntry,
  { limits, budget }: { limits: ZipLimits; budget: { left: number } },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let refusal: Refusal | null = null;
  const counting = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.byteLength;
      budget.left -= chunk.byteLength;
      refusal = refusalOf(entry, { size, limits, budget });
      if (refusal) throw refusal;
      chunks.push(chunk);
    },
  });
  try {
    await entry.getData(counting, { checkOverlappingEntry: true, checkCrc32: true });
  } catch (error) {
    throw refusal ?? error;
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function refusalOf(
  { filename, compressedSize }: FileEntry,
  { size, limits, budget }: { size: number; limits: ZipLimits; budget: { left: number } },
): Refusal | null {
  if (budget.left < 0) {
    return new Refusal(`unpacked it is larger than ${megabytes(limits.totalBytes)}.`, true);
  }
  if (size > ratioCountsFrom && size > limits.ratio * Math.max(1, compressedSize)) {
    return new Refusal("it unpacks to far more than a text would.", true);
  }
  return size > maxTextBytes ? new Refusal(tooLarge(filename), false) : null;
}

function overlapRefusal(): Refusal {
  return new Refusal("its files share the same bytes.", true);
}

function isPlainPath(path: string): boolean {
  return !/^[/\\]|\\|\p{Cc}|^[a-z]:/iu.test(path) && !path.split("/").includes("..");
}

function isOverlap(error: unknown): boolean {
  return error instanceof Error && error.message === "Overlapping entry found";
}

function invalid(path: string, problem: string): FoundFile {
  return { path, text: null, problem };
}

function refused(problem: string): FoundFiles {
  return { files: [], companions: [], leftOut: 0, problems: [problem] };
}

function tooMany(name: string, limit: number, what: string): string {
  return `“${isolated(name)}” holds more than ${formatCount(limit)} ${what}.`;
}

function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}
