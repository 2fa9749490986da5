import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { SkillSourceError } from "../skill-source";
import { assertNotTooLarge, decodeSkillText } from "../skill-text";

export interface InsideOptions {
  readonly root: string;
  readonly name: string;
  readonly maxBytes: number;
}

export interface TextFile {
  readonly text: string;
  readonly updatedAt: Date;
}

type OpenHandle = Awaited<ReturnType<typeof open>>;

// Opening a pipe would block, and a link swapped in after the check would be followed.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Follows links; `null` when there is no file.
 *
 * @throws {SkillSourceError} when it leads out of the root, is not a regular file, is too large, is not text or is
 * unreadable.
 */
export async function readFileInside(
  path: string,
  { root, name, maxBytes }: InsideOptions,
): Promise<TextFile | null> {
  return explained(name, async () => {
    const real = await realPathInside(root, path);
    if (real === "nowhere") return null;
    if (real === "outside") {
      throw new SkillSourceError(`“${name}” is a link that leads out of the folder.`);
    }
    const file = await open(real.path, flags);
    try {
      return await readOpened(file, { name, maxBytes });
    } finally {
      await file.close();
    }
  });
}

async function readOpened(
  file: OpenHandle,
  { name, maxBytes }: Pick<InsideOptions, "name" | "maxBytes">,
): Promise<TextFile> {
  const facts = await file.stat();
  if (!facts.isFile()) throw new SkillSourceError(`“${name}” is not a file.`);
  assertNotTooLarge(name, facts.size, maxBytes);
  // The file may have grown since it was measured.
  const bytes = await buffer(file.createReadStream({ start: 0, end: maxBytes, autoClose: false }));
  assertNotTooLarge(name, bytes.length, maxBytes);
  return { text: decodeSkillText(name, bytes), updatedAt: facts.mtime };
}

async function explained<Answer>(name: string, read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SkillSourceError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SkillSourceError(`“${name}” cannot be read (${code ?? "unknown"}).`, {
      cause: error,
    });
  }
}

/** Resolves links. `root` is a real path. */
export async function realPathInside(
  root: string,
  path: string,
): Promise<{ readonly path: string } | "outside" | "nowhere"> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (real === null) return "nowhere";
  const way = relative(root, real);
  const leaves = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return leaves ? "outside" : { path: real };
}
