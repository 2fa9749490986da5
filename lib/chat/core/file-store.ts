import type { FileWire, StorageWire } from "@/lib/chat/wire/files";
import { ChatError } from "./chat-error";

export interface FilePage {
  /** From 1. */
  readonly page: number;
  /** Of a sheet; may be empty. */
  readonly title: string;
  readonly text: string;
}

/** Files of one owner, each once, by the SHA-256 of its bytes. Messages name them; what no message names is removed. */
export interface FileStore {
  /**
   * Stores bytes completely or not at all, and reads their type, size and text; a document later with `readsLater`, since
   * it may take long. The same bytes again change nothing. The name tells kinds of text apart and is not stored.
   *
   * @throws {ChatError} `file-too-large`, `file-empty`, `storage-full`.
   */
  put(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly name?: string | undefined; readonly readsLater?: boolean | undefined },
  ): Promise<FileWire>;
  get(sha256: string): Promise<FileWire | null>;
  /** Those that are stored, for a message about to name them: they are kept at least a week from now. */
  touch(hashes: readonly string[]): Promise<FileWire[]>;
  /** As `touch`, once all of them are read. @throws {ChatError} `file-unread` when that takes longer than some seconds. */
  whenRead(hashes: readonly string[]): Promise<FileWire[]>;
  storage(): Promise<StorageWire>;
  /** In order. `null` for an unknown file. */
  chunks(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Text by page, from 1, both ends included. */
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
