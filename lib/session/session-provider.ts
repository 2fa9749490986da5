import type {
  AppendOptions,
  AppendResult,
  ContinueOptions,
  FollowOptions,
  FollowResult,
  ListedMessage,
  SessionMessage,
  SteppedBack,
  StoredMessage,
} from "./message";
import type { SearchQuery } from "./search/query";
import type { SearchHit, SearchOptions } from "./search/search-hits";

export type MaybePromise<T> = T | Promise<T>;

/** A summary of the messages from `fromMessageId` to `toMessageId`, both included, on one path. */
export interface Compaction {
  readonly id: string;
  readonly summary: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
  readonly createdAt: Date;
  /** Provided by the caller: tokens before and after, model, cost. */
  readonly metadata?: CompactionMetadata | undefined;
}

/** Sizes in tokens, cost in dollars. */
export interface CompactionMetadata {
  /** Of the whole history, before and after. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** Of the summarized range, as given to the model. */
  readonly rangeTokens?: number | undefined;
  readonly model?: string | undefined;
  /** Dollars. */
  readonly cost?: number | undefined;
  readonly author?: "person" | "model" | undefined;
  readonly focus?: string | undefined;
}

/**
 * Stores a session's messages: the documented core. Any object with these twelve methods can back a `Session`,
 * synchronously or not.
 */
export interface SessionProvider {
  getMessage(id: string): MaybePromise<SessionMessage | null>;
  /** Root to leaf, each summary as a message with the id `compaction_<id>`; `[]` for an unknown id. */
  getHistory(leafId?: string): MaybePromise<SessionMessage[]>;
  getLatestLeaf(): MaybePromise<SessionMessage | null>;
  /** Children of a message, oldest first. */
  getBranches(messageId: string): MaybePromise<SessionMessage[]>;
  /** Counts stored messages on the path, ignoring compactions. */
  getPathLength(leafId?: string): MaybePromise<number>;
  appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
    // biome-ignore lint/suspicious/noConfusingVoidType: a provider of the documented core returns nothing here
  ): MaybePromise<AppendResult | void>;
  // biome-ignore lint/suspicious/noConfusingVoidType: a provider of the documented core returns nothing here
  updateMessage(message: SessionMessage): MaybePromise<boolean | void>;
  deleteMessages(
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
    // biome-ignore lint/suspicious/noConfusingVoidType: a provider of the documented core returns nothing here
  ): MaybePromise<Deletion | void>;
  clearMessages(): MaybePromise<void>;
  addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): MaybePromise<Compaction>;
  getCompactions(): MaybePromise<Compaction[]>;
  searchMessages(query: string, options?: SearchOptions | number): MaybePromise<SearchHit[]>;
}

/** Identifies messages deleted together, so that they can be restored together. */
export interface Deletion {
  readonly deletionId: string;
  readonly messageIds: readonly string[];
}

export interface DeleteMessagesOptions {
  /** Chosen by the caller so that a retry is harmless; default a random UUID. */
  readonly deletionId?: string | undefined;
  /** Deletes everything below the messages too. Default `false`. */
  readonly withDescendants?: boolean | undefined;
  /**
   * The next active leaf when the active one is deleted: the leaf last used under the nearest sibling of the deleted
   * branch (the older one first; without siblings, the parent), or the parent in any case. Default `sibling`.
   */
  readonly continueAt?: "sibling" | "parent" | undefined;
}

/** A deletion after a call that may be repeated, and whether this call removed anything. */
export interface ChangedDeletion extends Deletion {
  readonly changed: boolean;
}

/** A message of the tree without its content. `depth` counts from 0 at a root. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: SessionMessage["role"];
  readonly createdAt: Date;
  /** The beginning of its text, at most 120 characters; may be empty. */
  readonly preview: string;
  readonly pinned: boolean;
  /** A name a person gave it. */
  readonly label: string | null;
}

/** Position among siblings, oldest first; `index` counts from 0. */
export interface Siblings {
  readonly index: number;
  readonly count: number;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** A stored message, or (with `compaction`) the synthetic message of a summary. */
export interface WindowEntry {
  readonly message: StoredMessage;
  /**
   * The previous stored message on this path; `null` for a root. For a summary: the message before its range.
   */
  readonly parentId: string | null;
  readonly siblings: Siblings;
  readonly pinned: boolean;
  /** A name a person gave the message; `null` for a summary. */
  readonly label: string | null;
  /** Increases from root to leaf, with gaps. */
  readonly position: number;
  readonly compaction?: (Compaction & { readonly messageCount: number }) | undefined;
}

export interface WindowOptions {
  /** Any message; the path is root → that message. Default: the active leaf. */
  readonly leafId?: string | undefined;
  /** At most this many entries, the newest. Default 50. */
  readonly limit?: number | undefined;
  /** Exclusive; pages towards the root. */
  readonly beforePosition?: number | undefined;
  /** Exclusive; with `overlays: false`, the originals of a summary. */
  readonly afterPosition?: number | undefined;
  /** `false` shows stored messages instead of summaries. Default `true`. */
  readonly overlays?: boolean | undefined;
  /**
   * `false`, of stored messages (`overlays: false`), spares the search for siblings: each entry seems to have none. Default
   * `true`.
   */
  readonly siblings?: boolean | undefined;
}

export interface TranscriptWindow {
  /** Root-most first. */
  readonly entries: readonly WindowEntry[];
  /** The last message of the path; `null` in an empty session. */
  readonly leafId: string | null;
  /** Entries exist before the first one. */
  readonly hasMore: boolean;
}

export interface IterateOptions {
  readonly leafId?: string;
  readonly batchSize?: number;
}

/** A stored message without its content. */
export interface HistoryRowStat {
  readonly id: string;
  readonly role: SessionMessage["role"];
  /** Of the content, as JSON in UTF-8. */
  readonly bytes: number;
}

/** The newest part of a history, root-most first. */
export interface RecentHistory {
  readonly messages: StoredMessage[];
  /** Visible messages that did not fit. */
  readonly omittedMessages: number;
}

export interface LoadedSkill {
  readonly label: string;
  readonly key: string;
}

/**
 * A store of the whole tree: active leaf, siblings, windows, undo. The in-memory and the Postgres provider pass the
 * same contract suite.
 */
export interface SessionTreeProvider extends SessionProvider {
  getMessage(id: string): Promise<StoredMessage | null>;
  getHistory(leafId?: string): Promise<StoredMessage[]>;
  getLatestLeaf(): Promise<StoredMessage | null>;
  getBranches(messageId: string): Promise<StoredMessage[]>;
  getPathLength(leafId?: string): Promise<number>;
  /**
   * Adds `message` under `parentId`; `null` starts a new root, omitted continues the active leaf.
   *
   * @throws {MessageNotFoundError} for an unknown parent, one in another session, or the message's own id; nothing is
   * stored.
   * @throws {MessageConflictError} when the id exists with another role or parts, or was deleted.
   */
  appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Appends a chain, all or nothing: the first as `appendMessage` does, each other one under the one before it. Nothing
   * comes between them, however many write. A repetition stores only what is missing.
   *
   * @throws as `appendMessage` does. @throws {InvalidArgumentError} for an id given twice.
   */
  appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]>;
  /**
   * Replaces everything but parent, role and time. Returns false, and writes nothing, when that changes nothing.
   *
   * @throws {MessageNotFoundError}
   */
  updateMessage(message: SessionMessage): Promise<boolean>;
  /**
   * Removes messages from every path; their children move to the nearest surviving ancestor. Unknown ids are ignored.
   *
   * A repeated `deletionId` returns the same deletion and deletes nothing again, also after it was restored. So does
   * another id for messages that one deletion has removed already.
   *
   * @throws {DeletionConflictError} when `deletionId` has deleted other messages.
   */
  deleteMessages(
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
  ): Promise<ChangedDeletion>;
  /** Restores what a deletion removed. @returns false when that was done before. @throws {DeletionNotFoundError} */
  restoreMessages(deletionId: string): Promise<boolean>;
  clearMessages(): Promise<void>;
  /** Sets the message the session continues from. @throws {MessageNotFoundError} */
  setActiveLeaf(messageId: string): Promise<void>;
  /**
   * Moves the active leaf back over up to `count` stored messages, also before the first one: then the active path is
   * empty and the next message becomes a root. `setActiveLeaf` moves forward again. Concurrent calls pass different
   * messages.
   *
   * @throws {InvalidArgumentError} for a count that is negative or no whole number; `Infinity` steps before the first.
   */
  stepBack(count: number): Promise<SteppedBack>;
  /**
   * Continues after a message (`null`: before the first one) with a chain, if `expectedLeafId` is still the active leaf:
   * replaces the end of the active path in one step, and removes nothing. An empty chain only moves the active leaf,
   * also in an archived session that refuses messages.
   *
   * @returns `null`, with nothing changed, when another leaf is active.
   * @throws {MessageNotFoundError} for an unknown message. @throws {MessageConflictError} for an id that is taken.
   */
  continueAfter(
    messageId: string | null,
    messages: readonly SessionMessage[],
    options: ContinueOptions,
  ): Promise<AppendResult[] | null>;
  /**
   * Makes the active path read as a list, compared by role and parts. It continues where the list was left: after the
   * beginning they share, on another branch that continues it, or (for a list that lost its oldest messages) after the
   * stretch they share. The rest is appended there, under new ids where its own are taken. Nothing is removed, and
   * nothing is written when the path ends as the list does. A summary in the list covers everything before it. A list
   * that is stored already only moves the active leaf, also in an archived session that refuses messages.
   *
   * @throws {InvalidArgumentError} for a message that cannot be stored.
   */
  follow(messages: readonly ListedMessage[], options?: FollowOptions): Promise<FollowResult>;
  /** The most recently used leaf at or below a message. @throws {MessageNotFoundError} */
  getLeafUnder(messageId: string): Promise<string>;
  /** The message and its siblings, oldest first. @throws {MessageNotFoundError} */
  getSiblings(messageId: string): Promise<StoredMessage[]>;
  getRoots(): Promise<StoredMessage[]>;
  /** Messages without children, oldest first. */
  getLeaves(): Promise<StoredMessage[]>;
  /** Parents before children, siblings oldest first. */
  getTree(): Promise<TreeNode[]>;
  getWindow(options?: WindowOptions): Promise<TranscriptWindow>;
  /**
   * The newest visible messages whose JSON fits `maxBytes`, but at least `minRecentMessages` (the leaf always).
   */
  getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory>;
  iterateHistory(options?: IterateOptions): AsyncIterable<StoredMessage[]>;
  /** Root to leaf, ignoring summaries; `[]` for an unknown id. */
  getHistoryRowStats(leafId?: string): Promise<HistoryRowStat[]>;
  /** A pinned message stays verbatim inside a compacted range. @throws {MessageNotFoundError} */
  setPinned(messageId: string, pinned: boolean): Promise<void>;
  /**
   * Names a message in one line of at most 80 characters; `null` or blank removes the name.
   *
   * @throws {MessageNotFoundError} @throws {InvalidArgumentError} for a longer one.
   */
  setLabel(messageId: string, label: string | null): Promise<void>;
  /**
   * Adds a summary over a range. Ends may be ids of messages or of synthetic summary messages.
   *
   * @throws {MessageNotFoundError} for an unknown end. @throws {CompactionRangeError} when they bound no range.
   */
  addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /**
   * Replaces a summary of the same range atomically. @throws {CompactionNotFoundError} when the old one is gone;
   * nothing is stored then.
   */
  replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /** Compactions not removed, oldest first, covered ones included. */
  getCompactions(): Promise<Compaction[]>;
  /** Uncovers an older summary or the messages. @throws {CompactionNotFoundError} */
  removeCompaction(compactionId: string): Promise<void>;
  /** @throws {CompactionNotFoundError} */
  restoreCompaction(compactionId: string): Promise<void>;
  /** @throws {CompactionNotFoundError} */
  updateCompaction(compactionId: string, summary: string): Promise<void>;
  searchMessages(
    query: string | SearchQuery,
    options?: SearchOptions | number,
  ): Promise<SearchHit[]>;
  /** Skills loaded and not unloaded on the path to a leaf, in order of loading. */
  getLoadedSkills(leafId?: string): Promise<LoadedSkill[]>;
  /** Records a load or unload by a person at the active leaf. */
  recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void>;
}

/** Tells a provider of the whole tree from one of the documented core. */
export function isTreeProvider(provider: SessionProvider): provider is SessionTreeProvider {
  return "getWindow" in provider && "setActiveLeaf" in provider && "restoreMessages" in provider;
}
