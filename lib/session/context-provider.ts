import type { MaybePromise } from "./session-provider";

/** Who wrote a version of a document, and on what occasion. */
export interface WriteProvenance {
  readonly author: "person" | "model" | "system";
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
}

export interface WriteOptions {
  readonly provenance?: WriteProvenance | undefined;
  /** The version the writer has seen; another newest version makes the write fail with `BlockConflictError`. */
  readonly expectedVersion?: number | undefined;
  /** Keyed entries only: what people read instead of the key. */
  readonly title?: string | undefined;
}

/** A version of a document. `version` counts from 1. `content` is `null` when that version deleted it. */
export interface DocumentVersion {
  readonly version: number;
  readonly content: string | null;
  readonly provenance: WriteProvenance;
  readonly createdAt: Date;
}

/** Read-only text in the system prompt. */
export interface ContextProvider {
  get(): MaybePromise<string | null>;
}

/** Text that the model and the person may rewrite. */
export interface WritableContextProvider extends ContextProvider {
  set(content: string, options?: WriteOptions): MaybePromise<void>;
}

/** A writable provider that keeps every version. */
export interface VersionedContextProvider extends WritableContextProvider {
  /** The newest content with its version; version 0 and `""` before the first write. */
  read(): Promise<{ content: string; version: number }>;
  versions(options?: { limit?: number }): Promise<DocumentVersion[]>;
}

/** Documents loaded whole on demand; `get` lists them one a line as `- key: description`. */
export interface SkillProvider extends ContextProvider {
  load(key: string): MaybePromise<string | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

/** Entries found by searching; `get` is a summary such as `42 entries indexed`. */
export interface SearchProvider extends ContextProvider {
  search(query: string): MaybePromise<string | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

export type AnyContextProvider =
  | ContextProvider
  | WritableContextProvider
  | SkillProvider
  | SearchProvider;

/** One entry of a skill or knowledge block. */
export interface ContextEntry {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly content: string;
  readonly version: number;
  readonly updatedAt: Date;
}

/** A keyed provider whose entries a person can list, read, version and delete. */
export interface EntryProvider {
  entries(options?: { limit?: number }): Promise<ContextEntry[]>;
  entry(key: string): Promise<ContextEntry | null>;
  remove(key: string, options?: WriteOptions): Promise<void>;
  entryVersions(key: string, options?: { limit?: number }): Promise<DocumentVersion[]>;
}

function hasMethod(provider: object, name: string): boolean {
  return typeof (provider as Record<string, unknown>)[name] === "function";
}

/** Whether the block is keyed and loadable. */
export function isSkillProvider(provider: AnyContextProvider): provider is SkillProvider {
  return hasMethod(provider, "load");
}

/** Whether the block is keyed and searchable. */
export function isSearchProvider(provider: AnyContextProvider): provider is SearchProvider {
  return hasMethod(provider, "search");
}

/** Whether the block can be written at all; keyed ones take a key, the others the whole text. */
export function isWritableProvider(
  provider: AnyContextProvider,
): provider is WritableContextProvider {
  return hasMethod(provider, "set");
}

/** Whether the provider keeps versions. */
export function isVersionedProvider(
  provider: AnyContextProvider,
): provider is VersionedContextProvider {
  return (
    isWritableProvider(provider) && hasMethod(provider, "versions") && hasMethod(provider, "read")
  );
}

/** Whether the entries of a keyed provider can be listed. */
export function isEntryProvider(
  provider: AnyContextProvider,
): provider is AnyContextProvider & EntryProvider {
  return hasMethod(provider, "entries") && hasMethod(provider, "remove");
}
