import type {
  BlockKind,
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

/** `"person"`: models cannot write it. */
export type BlockWriters = "person" | "both";

/**
 * Names a block's text by its id, or by its label alone, under which the first write makes it. `sessionId` is `null`
 * for scope `"owner"`.
 */
export type BlockRef = { readonly sessionId: string | null } & (
  | { readonly blockId: string; readonly label?: string }
  | { readonly label: string }
);

export interface TextWrite {
  readonly block: BlockRef;
  readonly content: string;
  /** The version the writer has seen, 0 before the first. Omitted: any. */
  readonly expectedVersion?: number | undefined;
  readonly provenance?: Omit<WriteProvenance, "proposalId"> | undefined;
}

export function assertDistinctBlocks(writes: readonly TextWrite[]): void {
  const names = writes.map(({ block }) => JSON.stringify([block.sessionId, blockName(block)]));
  if (new Set(names).size < names.length)
    throw new InvalidArgumentError("A block is written once among writes made together.");
}

export function blockName(block: BlockRef): string {
  return "blockId" in block ? block.blockId : block.label;
}

export interface NewBlock {
  readonly label: string;
  /** `null`: every session has the block. */
  readonly sessionId: string | null;
  readonly scope: BlockScope;
  /** `""` and `null` keep an `"app"` block's own. */
  readonly description: string;
  readonly maxTokens: number | null;
  readonly kind: BlockKind;
  readonly writers: BlockWriters;
}

export interface Block extends NewBlock {
  /** Stays when the label changes; forks keep it. */
  readonly id: string;
  /** `"app"`: comes with the application. `"code"`: made by a program's first write. */
  readonly origin: "app" | "person" | "code";
}

export interface BlockKey {
  readonly id: string;
  readonly sessionId: string | null;
}

export type BlockChanges = {
  readonly [Name in "label" | "description" | "writers" | "maxTokens"]?: Block[Name] | undefined;
};

export interface DeleteEntryOptions extends WriteOptions {
  readonly deletionId?: string | undefined;
  readonly withFiles?: boolean | undefined;
}

export interface EditableEntries extends EntryProvider {
  get(): Promise<string | null>;
  count(): Promise<number>;
  /**
   * `withFiles` also deletes entries whose keys continue this one after a slash. A repeated `deletionId` deletes
   * nothing again.
   *
   * @returns whether this call deleted it, `null` without one. @throws {BlockConflictError}
   * @throws {DeletionConflictError}
   */
  delete(key: string, options?: DeleteEntryOptions): Promise<boolean | null>;
  /**
   * Restores the bytes as a new version: `"repeated"` when done before, `"taken"` when written since.
   * @throws {DeletionNotFoundError}
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

export interface SearchableEntries extends EditableEntries, SearchProvider {
  get(): Promise<string | null>;
  find(query: string, limit?: number): Promise<ContextEntry[]>;
}

export interface LoadableEntries extends EditableEntries, SkillProvider {
  get(): Promise<string | null>;
}

export interface AnswerWrite {
  readonly blockId: string;
  readonly label: string;
  readonly key: string | null;
  readonly version: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Blocks of one owner, labels unique within a session. Deleted blocks and those of a deleted session are hidden until
 * restored.
 */
export interface BlockStore {
  /** Blocks of every session, then those of one, in the order they were made, without those of origin `"code"`. */
  list(sessionId: string | null): Promise<Block[]>;
  /** Makes the application's missing blocks. A program's block under such a label becomes it. */
  ensure(blocks: readonly NewBlock[]): Promise<void>;
  /**
   * Earlier text that a program wrote under this label becomes its text. @throws {BlockExistsError} when the label is
   * taken.
   */
  create(block: NewBlock & { readonly id?: string | undefined }): Promise<Block>;
  /** All changes or none. @throws {BlockNotFoundError} @throws {BlockExistsError} when the label is taken. */
  change(block: BlockKey, changes: BlockChanges): Promise<Block>;
  /**
   * Undone by `restore`. A repeated `deletionId` (default a random UUID) deletes nothing again.
   *
   * @returns whether this call deleted it. @throws {BlockNotFoundError} @throws {DeletionConflictError}
   */
  delete(block: BlockKey, deletionId?: string): Promise<boolean>;
  /**
   * With a `deletionId` undoes only that deletion.
   *
   * @throws {BlockNotFoundError} unless deleted. @throws {BlockExistsError} when the label was taken since.
   */
  restore(block: BlockKey, deletionId?: string): Promise<Block>;
  /** Labels by id, also of deleted blocks. */
  labels(sessionId: string | null, ids: readonly string[]): Promise<Map<string, string>>;
  text(ref: BlockRef): VersionedContextProvider;
  searchable(ref: BlockRef): SearchableEntries;
  loadable(ref: BlockRef): LoadableEntries;
  /** The versions one answer wrote without approval, in order. */
  writesOf(sessionId: string, messageId: string): Promise<AnswerWrite[]>;
}
