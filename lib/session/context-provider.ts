import type { MaybePromise } from "./session-provider";

/** A labelled section of the system prompt, as it is now. */
export interface ContextBlock {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** For skills and searchable blocks: what their provider says about their entries. */
  readonly content: string;
  readonly tokens: number;
  readonly maxTokens?: number | undefined;
  /** By the model. */
  readonly writable: boolean;
  readonly isSkill: boolean;
  readonly isSearchable: boolean;
  /** The version of the content, where the provider keeps versions; 0 before the first write. */
  readonly version?: number | undefined;
  /** Why the content could not be read; it is empty then. */
  readonly error?: string | undefined;
}

/** The author and occasion of a version. */
export interface WriteProvenance {
  readonly author: "person" | "model" | "system" | "program";
  /** Name of the program that wrote or proposed it. */
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
  /** The accepted proposal behind this write. */
  readonly proposalId?: string | undefined;
}

export interface WriteOptions {
  readonly provenance?: WriteProvenance | undefined;
  /** The version the writer has seen; if another is newest, the write fails with `BlockConflictError`. */
  readonly expectedVersion?: number | undefined;
  /** Keyed entries only: shown to people instead of the key. */
  readonly title?: string | undefined;
  /** `append` when the text is the present one with an addition, for listeners. Default `replace`. */
  readonly action?: "replace" | "append" | undefined;
}

/** A version of a document, counted from 1. `content` is `null` when that version deleted it. */
export interface DocumentVersion {
  readonly version: number;
  readonly content: string | null;
  readonly provenance: WriteProvenance;
  readonly createdAt: Date;
}

/** Read-only text in the system prompt. */
export interface ContextProvider {
  get(): MaybePromise<string | null>;
  /** Called with the label of the block, once and before any other method. */
  init?(label: string): void;
}

/** Text that the model and the person may edit. */
export interface WritableContextProvider extends ContextProvider {
  set(content: string, options?: WriteOptions): MaybePromise<void>;
}

/** A writable provider that keeps every version. */
export interface VersionedContextProvider extends WritableContextProvider {
  /** The newest content and version; version 0 and `""` before the first write. */
  read(): Promise<{ content: string; version: number }>;
  versions(options?: { limit?: number }): Promise<DocumentVersion[]>;
}

/** The versions of a frozen prompt's blocks, by block id. */
export type FrozenVersions = Readonly<Record<string, number>>;

/** A frozen prompt with the versions it was rendered from. */
export interface FrozenText {
  readonly prompt: string;
  /** `null` for a prompt stored without versions. */
  readonly versions: FrozenVersions | null;
}

/** Stores a frozen prompt with its versions. */
export interface FrozenPromptProvider extends WritableContextProvider {
  /** `null` before the first freeze. */
  readFrozen(): MaybePromise<FrozenText | null>;
  setFrozen(frozen: FrozenText): MaybePromise<void>;
}

/** Documents loaded whole on demand; `get` lists them one per line as `- key: description`. */
export interface SkillProvider extends ContextProvider {
  load(key: string): MaybePromise<string | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

/** A search result: text for the model, and its sources. */
export interface FoundEntries {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Entries found by searching; `get` is a summary such as `42 entries indexed`. */
export interface SearchProvider extends ContextProvider {
  search(query: string): MaybePromise<string | null>;
  /** The result of `search` with the keys of its entries, best first. */
  searchEntries?(query: string): MaybePromise<FoundEntries | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

/** A provider of any of the four kinds, which its methods tell apart. */
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
  /** Returns false when there was no such entry. */
  remove(key: string, options?: WriteOptions): Promise<boolean>;
  entryVersions(key: string, options?: { limit?: number }): Promise<DocumentVersion[]>;
}

function hasMethod(provider: object, name: string): boolean {
  return typeof (provider as Record<string, unknown>)[name] === "function";
}

/** Tells a provider of documents by its `load`. */
export function isSkillProvider(provider: AnyContextProvider): provider is SkillProvider {
  return hasMethod(provider, "load");
}

/** Tells a searchable provider by its `search`. */
export function isSearchProvider(provider: AnyContextProvider): provider is SearchProvider {
  return hasMethod(provider, "search");
}

/** Keyed blocks are written by key, others whole. */
export function isWritableProvider(
  provider: AnyContextProvider,
): provider is WritableContextProvider {
  return hasMethod(provider, "set");
}

/** Tells a writable provider that keeps versions by its `read` and `versions`. */
export function isVersionedProvider(
  provider: AnyContextProvider,
): provider is VersionedContextProvider {
  return (
    isWritableProvider(provider) && hasMethod(provider, "versions") && hasMethod(provider, "read")
  );
}

export function isVersionReader(
  provider: AnyContextProvider,
): provider is AnyContextProvider & Pick<VersionedContextProvider, "read"> {
  return hasMethod(provider, "read");
}

export function isFrozenPromptProvider(
  provider: WritableContextProvider,
): provider is FrozenPromptProvider {
  return hasMethod(provider, "readFrozen") && hasMethod(provider, "setFrozen");
}

export function isEntryProvider(
  provider: AnyContextProvider,
): provider is AnyContextProvider & EntryProvider {
  return hasMethod(provider, "entries") && hasMethod(provider, "remove");
}
