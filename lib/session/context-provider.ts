import type { MaybePromise } from "./session-provider";

/** Who wrote a version of a document, and on what occasion. */
export interface WriteProvenance {
  readonly author: "person" | "model" | "system";
  readonly sessionId?: string | undefined;
  readonly messageId?: string | undefined;
  /** The model's proposal that a person accepted to make this write. */
  readonly proposalId?: string | undefined;
}

/** Who writes, on top of which version, and under which title. */
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

/** The version of every block in a frozen prompt that keeps any, by the id of the block. */
export type FrozenVersions = Readonly<Record<string, number>>;

/** A frozen prompt as it was kept, with the versions of the blocks it was rendered from. */
export interface FrozenText {
  readonly prompt: string;
  /** `null` for a prompt that was kept without them. */
  readonly versions: FrozenVersions | null;
}

/** Where a frozen prompt is kept together with the versions it was made from. */
export interface FrozenPromptProvider extends WritableContextProvider {
  /** `null` before the first freeze. */
  readFrozen(): MaybePromise<FrozenText | null>;
  setFrozen(frozen: FrozenText): MaybePromise<void>;
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

/** What a search has found: the text for a model, and where it comes from. */
export interface FoundEntries {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Entries found by searching; `get` is a summary such as `42 entries indexed`. */
export interface SearchProvider extends ContextProvider {
  search(query: string): MaybePromise<string | null>;
  /** What `search` gives, with the keys of the entries it is made of, best first. */
  searchEntries?(query: string): MaybePromise<FoundEntries | null>;
  set?(
    key: string,
    content: string,
    description?: string,
    options?: WriteOptions,
  ): MaybePromise<void>;
}

/** A provider of any of the four kinds; which one it is shows in its methods. */
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

/** Whether a read-only provider tells its version too. */
export function isVersionReader(
  provider: AnyContextProvider,
): provider is AnyContextProvider & Pick<VersionedContextProvider, "read"> {
  return hasMethod(provider, "read");
}

/** Whether a prompt cache keeps versions with the prompt. */
export function isFrozenPromptProvider(
  provider: WritableContextProvider,
): provider is FrozenPromptProvider {
  return hasMethod(provider, "readFrozen") && hasMethod(provider, "setFrozen");
}

/** Whether the entries of a keyed provider can be listed. */
export function isEntryProvider(
  provider: AnyContextProvider,
): provider is AnyContextProvider & EntryProvider {
  return hasMethod(provider, "entries") && hasMethod(provider, "remove");
}
