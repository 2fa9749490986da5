import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { FileStore } from "@/lib/chat/core/file-store";
import { localPersonId, type PersonId } from "@/lib/chat/core/person-in-space";
import type { FileFacts, FileWire } from "@/lib/chat/wire/files";
import { isDocument } from "@/lib/files/document-types";
import { headBytes, mediaTypeOf } from "@/lib/files/media-type";
import { type ReadContent, readContent } from "@/lib/files/read-content";
import type { PostgresFiles, StoredFile } from "@/lib/postgres/internal";
import { StorageFullError } from "@/lib/postgres/storage";
import { logFailure } from "./log";

export interface FileLimits {
  readonly maxBytes: number;
}

export const defaultFileLimits: FileLimits = { maxBytes: 25_000_000 };

interface OwnerFilesOptions {
  readonly folder?: string | undefined;
  readonly limits?: FileLimits | undefined;
  readonly person?: PersonId | undefined;
  readonly read?: typeof readContent;
  readonly readWithinMs?: number | undefined;
}

/** Below the time after which a browser or a proxy would give up. */
const usualReadWithinMs = 15_000;

export function ownerFiles(
  stored: PostgresFiles,
  {
    folder = tmpdir(),
    limits = defaultFileLimits,
    person = localPersonId,
    read = readContent,
    readWithinMs = usualReadWithinMs,
  }: OwnerFilesOptions = {},
): FileStore {
  const later = new LaterReadings(stored, { folder, person, read });
  const touch = async (hashes: readonly string[]) => {
    return reading(await stored.touch(hashes));
  };
  // Their process may have ended before it had read them.
  const reading = (files: StoredFile[]) => {
    for (const file of files) if (isUnread(file)) later.start(file);
    return files;
  };
  return {
    async put(bytes, { name = "", readsLater = false } = {}) {
      return inFolder(folder, async (path) => {
        const arrived = await onDisk(() => receive(path, bytes, limits));
        const known = await stored.get(arrived.sha256);
        // A purge may just have removed the file.
        const isKept = known !== null && (await stored.touch([known.sha256])).length > 0;
        const mediaType = known?.mediaType ?? mediaTypeOf(arrived.head, name);
        const { sha256, size } = arrived;
        const isLater = readsLater && isDocument(mediaType);
        const content = () => read({ path, mediaType, head: arrived.head, person });
        if (!isKept) {
          const first = isLater ? () => unread : content;
          const added = stored.add({ sha256, size, mediaType }, { path, content: first });
          const file = await added.catch(explainFull);
          if (isUnread(file)) later.start(file);
          return fileWire(isUnread(file) && !isLater ? await later.end(file) : file);
        }
        if (isUnread(known)) {
          later.start(known);
          return fileWire(isLater ? known : await later.end(known));
        }
        if (known.facts.mayPass !== true) return fileWire(known);
        if (isLater) {
          const file = { ...known, facts: unread.facts };
          await stored.setContent(sha256, unread);
          later.start(file);
          return fileWire(file);
        }
        const again = await content();
        // A second failure must not replace content that another upload may have read meanwhile.
        if (again.facts.mayPass !== true) await stored.setContent(sha256, again);
        return fileWire({ ...known, facts: again.facts });
      });
    },
    get: async (sha256) => {
      const file = await stored.get(sha256);
      return file && fileWire(file);
    },
    named: async (ids) => (await stored.named(ids)).map(fileWire),
    list: async (hashes) => reading(await stored.list(hashes)).map(fileWire),
    touch: async (hashes) => (await touch(hashes)).map(fileWire),
    async whenRead(hashes) {
      const files = await touch(hashes);
      const late = delay(readWithinMs, null, { ref: false });
      const read = Promise.all(files.map((file) => (isUnread(file) ? later.end(file) : file)));
      const known = await Promise.race([read, late]);
      if (known === null) throw stillUnread();
      return known.map(fileWire);
    },
    storage: () => stored.storage(),
    chunks: (sha256) => stored.chunks(sha256),
    pages: (sha256, range) => stored.pages(sha256, range),
  };
}

const unread: ReadContent = { facts: { unread: true }, pages: [] };

function isUnread({ facts }: StoredFile): boolean {
  return facts.unread === true;
}

function stillUnread(): ChatError {
  const message =
    "A file of this message is still being read. Nothing is lost; send it again in a moment.";
  return new ChatError("file-unread", message);
}

function explainFull(error: unknown): never {
  if (!(error instanceof StorageFullError)) throw error;
  throw new ChatError("storage-full", error.message, { cause: error });
}

interface ReadingOptions {
  readonly folder: string;
  readonly person: PersonId;
  readonly read: typeof readContent;
}

class LaterReadings {
  readonly #stored: PostgresFiles;
  readonly #options: ReadingOptions;
  readonly #underWay = new Map<string, Promise<StoredFile>>();

  constructor(stored: PostgresFiles, options: ReadingOptions) {
    this.#stored = stored;
    this.#options = options;
  }

  start(file: StoredFile): void {
    this.end(file).catch((error: unknown) => logFailure("Reading a file", error));
  }

  end(file: StoredFile): Promise<StoredFile> {
    const { sha256 } = file;
    const begin = () => this.#read(file).finally(() => this.#underWay.delete(sha256));
    const reading = this.#underWay.get(sha256) ?? begin();
    this.#underWay.set(sha256, reading);
    return reading;
  }

  #read(file: StoredFile): Promise<StoredFile> {
    const { sha256, mediaType } = file;
    const { folder, person, read } = this.#options;
    return inFolder(folder, async (path) => {
      const chunks = await this.#stored.chunks(sha256);
      // Nobody named the file, so it was removed.
      if (!chunks) return file;
      const { head } = await onDisk(() => receive(path, chunks, { maxBytes: Infinity }));
      const content = await read({ path, mediaType, head, person });
      const now = content.facts.mayPass === true ? await this.#stored.get(sha256) : null;
      // A failure must not replace content that another process has read meanwhile.
      if (now && !isUnread(now)) return now;
      await this.#stored.setContent(sha256, content);
      return { ...file, facts: content.facts };
    });
  }
}

async function inFolder<Result>(
  folder: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const uploads = resolve(/*turbopackIgnore: true*/ folder);
  const own = await onDisk(async () => {
    await mkdir(uploads, { recursive: true, mode: 0o700 });
    return mkdtemp(join(uploads, "file-"));
  });
  try {
    return await use(join(own, "bytes"));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

const fullDisk = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS"]);

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

const fileFacts = z.object({
  width: z.int().optional(),
  height: z.int().optional(),
  pages: z.int().optional(),
  tokens: z.int().optional(),
  problem: z.string().optional(),
  unread: z.boolean().optional(),
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
