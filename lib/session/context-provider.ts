import type { MaybePromise } from "./session-provider";

export interface ContextBlock {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly content: string;
  readonly tokens: number;
  readonly maxTokens?: number | undefined;
  readonly writable: boolean;
  readonly isSkill: boolean;
  readonly isSearchable: boolean;
  /** Absent where the provider keeps no versions; 0 before the first write. */
  readonly version?: number | undefined;
  /** Why the content could not be read; it is empty then. */
  readonly error?: string | undefined;
}

export interface WriteProvenance {
  readonly author: "person" | "model" | "system" | "program";
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
  /** The accepted proposal behind this write. */
  readonly proposalId?: string | undefined;
}

export interface WriteOptions {
  readonly provenance?: WriteProvenance | undefined;
  /** A newer version refuses the write with `BlockConflictError`. */
  readonly expectedVersion?: number | undefined;
  /** Keyed entries only: shown to people instead of the key. */
  readonly title?: string | undefined;
  /** `append` when the text continues the present one. Default `replace`. */
  readonly action?: "replace" | "append" | undefined;
}

/** Versions count from 1; `content` is `null` when that version deleted it. */
export interface DocumentVersion {
  readonly version: number;
  readonly content: string | null;
  readonly provenance: WriteProvenance;
  readonly createdAt: Date;
}

export interface ContextProvider {
  get(): MaybePromise<string | null>;
  /** Called once, before any other method. */
  init?(label: string): void;
}

export interface WritableContextProvider extends ContextProvider {
  set(content: string, options?: WriteOptions): MaybePromise<void>;
}

export interface VersionedContextProvider extends WritableContextProvider {
  /** Version 0 and `""` before the first write. */
  read(): Promise<{ content: string; version: number }>;
  versions(options?: { limit?: number }): Promise<DocumentVersion[]>;
}

export type FrozenVersions = Readonly<Record<string, number>>;

export interface FrozenText {
  readonly prompt: string;
  /** `null` for a prompt stored without versions. */
  readonly versions: FrozenVersions | null;
}

export interface FrozenPromptProvider extends WritableContextProvider {
  /** `null` before the first freeze. */
  readFrozen(): MaybePromise<FrozenText | null>;
  setFrozen(frozen: FrozenText): MaybePromise<void>;
}

/** Documents loaded on demand; `get` lists them one per line as `- key: description`. */
export interface SkillProvider extends ContextProvider {
  load(key: string): MaybePromise<string | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

export interface FoundEntries {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Searchable entries; `get` is a summary such as `42 entries indexed.`, or `null` without entries. */
export interface SearchProvider extends ContextProvider {
  search(query: string): MaybePromise<string | null>;
  /** `search` with the keys of its entries, best first. */
  searchEntries?(query: string): MaybePromise<FoundEntries | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

export function indexedEntries(count: number): string | null {
  return count === 0 ? null : `${count} entries indexed.`;
}

export type AnyContextProvider =
  | ContextProvider
  | WritableContextProvider
  | SkillProvider
  | SearchProvider;

export interface ContextEntry {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  readonly content: string;
  readonly version: number;
  readonly updatedAt: Date;
}

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

export const storedKinds = ["writable", "searchable", "loadable"] as const;

export type BlockKind = (typeof storedKinds)[number];

export type KeyedKind = Exclude<BlockKind, "writable">;

interface KindOfProvider {
  readonly isProvider: (provider: AnyContextProvider) => boolean;
  readonly isBlock: (block: ContextBlock) => boolean;
  /** Shown to the model beside the label. */
  readonly tag: string;
}

/** A block of two kinds has the tag of the first. */
export const keyedKinds: Readonly<Record<KeyedKind, KindOfProvider>> = {
  searchable: {
    isProvider: isSearchProvider,
    isBlock: ({ isSearchable }) => isSearchable,
    tag: "[searchable]",
  },
  loadable: {
    isProvider: isSkillProvider,
    isBlock: ({ isSkill }) => isSkill,
    tag: "[loadable]",
  },
};

export function isKeyedProvider(
  provider: AnyContextProvider,
): provider is SkillProvider | SearchProvider {
  return Object.values(keyedKinds).some(({ isProvider }) => isProvider(provider));
}
