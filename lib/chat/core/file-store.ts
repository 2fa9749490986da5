import type { FileWire, StorageWire } from "@/lib/chat/wire/files";
import { ChatError } from "./chat-error";

export interface FilePage {
  readonly page: number;
  readonly title: string;
  readonly text: string;
}

/** Files of one owner, by SHA-256. A file that no message names is removed. */
export interface FileStore {
  /**
   * Stores all bytes or none, and reads type, size and text; a document later with `readsLater`, since it may take
   * long. The name tells kinds of text apart and is not stored.
   *
   * @throws {ChatError} `file-too-large`, `file-empty`, `storage-full`.
   */
  put(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly name?: string | undefined; readonly readsLater?: boolean | undefined },
  ): Promise<FileWire>;
  get(sha256: string): Promise<FileWire | null>;
  /** Returns the stored ones, and keeps them at least a week from now. */
  touch(hashes: readonly string[]): Promise<FileWire[]>;
  /** `touch`, once all are read. @throws {ChatError} `file-unread` after some seconds. */
  whenRead(hashes: readonly string[]): Promise<FileWire[]>;
  storage(): Promise<StorageWire>;
  chunks(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  pages(sha256: string, range?: { from?: number; to?: number }): Promise<FilePage[]>;
}

/** @throws {ChatError} `file-not-found`, `file-unavailable` when its bucket does not answer. */
export async function readFile(files: FileStore, sha256: string): Promise<Uint8Array> {
  const chunks = await files.chunks(sha256);
  if (!chunks) throw fileNotFound();
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

export function fileNotFound(): ChatError {
  return new ChatError("file-not-found", "This file is no longer stored. Attach it again.");
}
