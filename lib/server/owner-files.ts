import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import type { FileStore } from "@/lib/chat/files/file-store";
import type { FileFacts, FileWire } from "@/lib/chat/wire/files";
import { headBytes, mediaTypeOf } from "@/lib/files/media-type";
import { readContent } from "@/lib/files/read-content";
import type { PostgresFiles, StoredFile } from "@/lib/postgres/internal";

export interface FileLimits {
  readonly maxBytes: number;
}

export const defaultFileLimits: FileLimits = { maxBytes: 25_000_000 };

interface OwnerFilesOptions {
  /** For files that arrive. Default: the system's. */
  readonly folder?: string | undefined;
  readonly limits?: FileLimits | undefined;
  readonly read?: typeof readContent;
}

/** Takes files in: on disk until they are complete, then looked at, then stored. */
export function ownerFiles(
  stored: PostgresFiles,
  { folder = tmpdir(), limits = defaultFileLimits, read = readContent }: OwnerFilesOptions = {},
): FileStore {
  return {
    async put(bytes, { name = "" } = {}) {
      const uploads = resolve(/*turbopackIgnore: true*/ folder);
      const own = await onDisk(async () => {
        await mkdir(uploads, { recursive: true, mode: 0o700 });
        return mkdtemp(join(uploads, "file-"));
      });
      try {
        const path = join(own, "bytes");
        const arrived = await onDisk(() => receive(path, bytes, limits));
        const known = await stored.get(arrived.sha256);
        // Touches it, or stores what a purge has just removed.
        const isKept = known !== null && (await stored.touch([known.sha256])).length > 0;
        if (isKept && known.facts.mayPass !== true) return fileWire(known);
        const mediaType = known?.mediaType ?? mediaTypeOf(arrived.head, name);
        const content = () => read({ path, mediaType, head: arrived.head });
        const { sha256, size } = arrived;
        if (!isKept)
          return fileWire(await stored.add({ sha256, size, mediaType }, { path, content }));
        const again = await content();
        // One that failed again must not replace what another upload may have read meanwhile.
        if (again.facts.mayPass !== true) await stored.setContent(sha256, again);
        return fileWire({ ...known, facts: again.facts });
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
    get: async (sha256) => {
      const file = await stored.get(sha256);
      return file && fileWire(file);
    },
    touch: async (hashes) => (await stored.touch(hashes)).map(fileWire),
    chunks: (sha256) => stored.chunks(sha256),
    pages: (sha256, range) => stored.pages(sha256, range),
  };
}

const fullDisk = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS"]);

/** @throws {ChatError} `disk-full` */
async function onDisk<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const isFull = error instanceof Error && "code" in error && fullDisk.has(error.code);
    throw isFull ? diskFull(error) : error;
  }
}

function diskFull(cause: Error): ChatError {
  const message =
    "The disk for files that arrive is full. Nothing of this file is stored, and nothing you typed is lost; free some space, then attach it again.";
  return new ChatError("disk-full", message, { cause });
}

/** As stored, perhaps by another version. */
const fileFacts = z.object({
  width: z.int().optional(),
  height: z.int().optional(),
  pages: z.int().optional(),
  tokens: z.int().optional(),
  problem: z.string().optional(),
});

export function factsOf(facts: StoredFile["facts"]): FileFacts {
  return fileFacts.catch({}).parse(facts);
}

function fileWire({ facts, ...file }: StoredFile): FileWire {
  return { ...file, ...factsOf(facts) };
}

interface Arrived {
  readonly sha256: string;
  readonly size: number;
  readonly head: Uint8Array;
}

/** @throws {ChatError} `file-too-large`, `file-empty`. */
async function receive(
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { maxBytes }: FileLimits,
): Promise<Arrived> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      if (size < headBytes) head.push(chunk);
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  if (size === 0) throw new ChatError("file-empty", "The file is empty.");
  return { sha256: hash.digest("hex"), size, head: Buffer.concat(head).subarray(0, headBytes) };
}

function tooLarge(maxBytes: number): ChatError {
  const limit = Math.floor(maxBytes / 1_000_000).toLocaleString("en");
  return new ChatError("file-too-large", `A file may have at most ${limit} MB.`);
}
