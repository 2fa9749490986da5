import type {
  ContextEntry,
  EntryProvider,
  SearchProvider,
  SkillProvider,
  VersionedContextProvider,
  WriteOptions,
  WriteProvenance,
} from "./context-provider";
import { InvalidArgumentError } from "./errors";

/** `"owner"`: one text for all sessions of an owner. `"session"`: another in each session. */
export type BlockScope = "owner" | "session";

/** `"person"`: the model only reads it. */
export type BlockWriters = "person" | "both";

/** Plain text, entries that are searched, or documents that are loaded. */
export type BlockKind = "writable" | "searchable" | "loadable";

/**
 * Refers to the text of a block: by its id, with a label only to name it in errors and events, or by its label alone,
 * under which it is made at the first write. `sessionId` is `null` for a block of scope `"owner"`.
 */
export type BlockRef = { readonly sessionId: string | null } & (
  | { readonly blockId: string; readonly label?: string }
  | { readonly label: string }
);

/** A new text for a block, one of several written together. */
export interface TextWrite {
  readonly block: BlockRef;
  readonly content: string;
  /** The version the writer has seen, 0 before the first. Omitted: any. */
  readonly expectedVersion?: number | undefined;
  readonly provenance?: Omit<WriteProvenance, "proposalId"> | undefined;
}

/** @throws {InvalidArgumentError} for two writes to one block. */
export function assertDistinctBlocks(writes: readonly TextWrite[]): void {
  const names = writes.map(({ block }) => JSON.stringify([block.sessionId, blockName(block)]));
  if (new Set(names).size < names.length)
    throw new InvalidArgumentError("A block is written once among writes made together.");
}

/** Its id, or the label of a block named by it. */
export function blockName(block: BlockRef): string {
  return "blockId" in block ? block.blockId : block.label;
}

/** A block to make. */
export interface NewBlock {
  readonly label: string;
  /** The one session it belongs to; `null` when every session has it. */
  readonly sessionId: string | null;
  readonly scope: BlockScope;
  /** `""` and `null` mean those that come with an `"app"` block. */
  readonly description: string;
  readonly maxTokens: number | null;
  readonly kind: BlockKind;
  readonly writers: BlockWriters;
}

/** A block as it is kept. */
export interface Block extends NewBlock {
  /** Stays when the label changes. A fork of its session has the same. */
  readonly id: string;
  /** `"app"`: it comes with the application. `"code"`: a program made it at its first write. */
  readonly origin: "app" | "person" | "code";
}

/** Names one block of an owner. `sessionId` is the one it belongs to. */
export interface BlockKey {
  readonly id: string;
  readonly sessionId: string | null;
}

/** Changeable settings of a block; omitted ones stay. */
export type BlockChanges = {
  readonly [Name in "label" | "description" | "writers" | "maxTokens"]?: Block[Name] | undefined;
};

export interface DeleteEntryOptions extends WriteOptions {
  readonly deletionId?: string | undefined;
  readonly withFiles?: boolean | undefined;
}

/** A keyed block whose entries have titles. */
export interface EditableEntries extends EntryProvider {
  get(): Promise<string | null>;
  count(): Promise<number>;
  /**
   * Deletes an entry, and with `withFiles` those whose keys continue its own after a slash. Repeated as a block's.
   *
   * @returns whether this call deleted it, `null` without one. @throws {BlockConflictError} @throws {DeletionConflictError}
   */
  delete(key: string, options?: DeleteEntryOptions): Promise<boolean | null>;
  /**
   * Restores what a deletion of an entry removed, byte for byte, as a new version: `"repeated"` when that was done before,
   * `"taken"` when the entry was written since. @throws {DeletionNotFoundError}
   */
  restoreDeleted(
    deletionId: string,
    options?: Pick<WriteOptions, "provenance">,
  ): Promise<"restored" | "repeated" | "taken">;
  /** @returns the new version. */
  write(
    key: string,
    entry: { title: string; content: string; description?: string | undefined },
    options?: WriteOptions,
  ): Promise<number>;
}

/** Entries found by searching: by the model as text, by a person as entries. */
export interface SearchableEntries extends EditableEntries, SearchProvider {
  get(): Promise<string | null>;
  find(query: string, limit?: number): Promise<ContextEntry[]>;
}

/** Documents loaded whole. */
export interface LoadableEntries extends EditableEntries, SkillProvider {
  get(): Promise<string | null>;
}

/** A version that an answer wrote, and the text before it. */
export interface AnswerWrite {
  readonly blockId: string;
  readonly label: string;
  /** `null` for a text block. */
  readonly key: string | null;
  readonly version: number;
  readonly before: string;
  readonly after: string;
}

/**
 * The blocks of one owner. A label is taken when two blocks of one session would have it. Those of a deleted session are
 * not seen until it is restored, and neither are deleted ones.
 */
export interface BlockStore {
  /** Those every session has, then those of one, each in the order they were made; without those made by code. */
  list(sessionId: string | null): Promise<Block[]>;
  /** Makes those of the application that are not there. What a program made under such a label becomes that block. */
  ensure(blocks: readonly NewBlock[]): Promise<void>;
  /**
   * Earlier text that a program wrote under this label becomes its text. @throws {BlockExistsError} when the label is
   * taken.
   */
  create(block: NewBlock & { readonly id?: string | undefined }): Promise<Block>;
  /** All changes or none. @throws {BlockNotFoundError} @throws {BlockExistsError} when the label is taken. */
  change(block: BlockKey, changes: BlockChanges): Promise<Block>;
  /**
   * Undone by `restore`. A repeated `deletionId` (default a random UUID) deletes nothing again, also after that.
   *
   * @returns whether this call deleted it. @throws {BlockNotFoundError} @throws {DeletionConflictError}
   */
  delete(block: BlockKey, deletionId?: string): Promise<boolean>;
  /**
   * With a `deletionId` only undoes that deletion.
   *
   * @throws {BlockNotFoundError} unless it is deleted. @throws {BlockExistsError} when the label has been taken since.
   */
  restore(block: BlockKey, deletionId?: string): Promise<Block>;
  /** The labels of blocks by id, deleted ones too. */
  labels(sessionId: string | null, ids: readonly string[]): Promise<Map<string, string>>;
  /** The text of a plain block. */
  text(ref: BlockRef): VersionedContextProvider;
  searchable(ref: BlockRef): SearchableEntries;
  loadable(ref: BlockRef): LoadableEntries;
  /** The versions one answer wrote without being asked to wait, in the order of writing. */
  writesOf(sessionId: string, messageId: string): Promise<AnswerWrite[]>;
}
