import type { SearchQuery } from "grove-session/ports";
import type { FileWire, StorageWire } from "@/lib/chat/wire/files";
import { ChatError } from "./chat-error";

export interface FilePage {
  readonly page: number;
  readonly title: string;
  readonly text: string;
}

/** Files of one owner, by SHA-256. A file that no message or knowledge names is removed. */
export interface FileStore {
  /**
   * Stores all bytes or none; `readsLater` defers reading a document, which may take long. The name tells kinds of text
   * apart and is not stored. @throws {ChatError} `file-too-large`, `file-empty`, `storage-full`.
   */
  put(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: { readonly name?: string | undefined; readonly readsLater?: boolean | undefined },
  ): Promise<FileWire>;
  /** Takes a hash, or its first twelve digits. */
  get(sha256: string): Promise<FileWire | null>;
  /** Takes several such ids. Returns all stored files with their first twelve digits, in no order. */
  named(ids: readonly string[]): Promise<FileWire[]>;
  /** Returns the stored ones, in no order. */
  list(hashes: readonly string[]): Promise<FileWire[]>;
  /** Returns the stored ones, and keeps them at least a week from now. */
  touch(hashes: readonly string[]): Promise<FileWire[]>;
  /** `touch`, once all are read. @throws {ChatError} `file-unread` after some seconds. */
  whenRead(hashes: readonly string[]): Promise<FileWire[]>;
  storage(): Promise<StorageWire>;
  chunks(sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  pages(sha256: string, range?: { from?: number; to?: number }): Promise<FilePage[]>;
}

export interface NamedFile {
  readonly sha256: string;
  readonly name: string;
}

export interface PageHit extends NamedFile {
  readonly page: number;
  readonly title: string;
  readonly text: string;
}

export interface KnowledgeStore {
  hasFiles(): Promise<boolean>;
  /** At most two files. */
  named(name: string): Promise<NamedFile[]>;
  /** Files in the person's messages up to a leaf, newest first. */
  ofPath(path: {
    readonly sessionId: string;
    readonly leafId: string;
    readonly most: number;
  }): Promise<{ readonly type: string }[]>;
  /** Best first: pages with all words, then those without one of them, then those with any. */
  search(
    query: SearchQuery,
    options: {
      readonly scope: { readonly ofPlace: boolean; readonly files: readonly NamedFile[] };
      readonly limit: number;
    },
  ): Promise<PageHit[]>;
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
