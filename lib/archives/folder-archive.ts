import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { join } from "node:path";
import type { ArchivedSession, SessionArchive } from "../session/internal";
import { archiveName } from "./archive-name";
import { archivedSessionId, decodeArchived } from "./archived-text";
import { namedFailures } from "./named-failures";

/**
 * One file of JSON lines for each session, for one owner, renamed into its place, so that it is whole also after a
 * crash. The folder is created when needed.
 */
export function folderArchive(folder: string): SessionArchive {
  return namedFailures(`The folder ${folder}`, {
    async put(sessionId, text) {
      await mkdir(folder, { recursive: true });
      const name = archiveName(sessionId);
      await writeWhole(folder, name, text);
    },

    async get(sessionId) {
      const bytes = await orNull(readFile(join(folder, archiveName(sessionId))));
      return bytes && decodeArchived(bytes);
    },

    async *list() {
      const names = (await orNull(readdir(folder))) ?? [];
      for (const name of names) {
        const listed = await listedFile(folder, name);
        if (listed) yield listed;
      }
    },

    async delete(sessionId) {
      const path = join(folder, archiveName(sessionId));
      return (await orNull(rm(path).then(() => true))) ?? false;
    },
  });
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${name}.${crypto.randomUUID()}`);
  try {
    await using(await open(temporary, "wx", 0o600), async (file) => {
      await file.writeFile(text);
      await file.sync();
    });
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // A file system that cannot sync a folder keeps the name with its next write.
  if (process.platform !== "win32") await using(await open(folder, "r"), (file) => file.sync());
}

async function listedFile(folder: string, name: string): Promise<ArchivedSession | null> {
  const path = join(folder, name);
  const facts = await orNull(stat(path));
  if (!facts?.isFile()) return null;
  const sessionId = await archivedSessionId(name, () => orNull(readFile(path)));
  return sessionId === null ? null : { sessionId, archivedAt: facts.mtime, bytes: facts.size };
}

async function using<Result>(
  file: FileHandle,
  act: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    return await act(file);
  } finally {
    await file.close();
  }
}

async function orNull<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
