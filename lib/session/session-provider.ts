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

/** Summarizes the messages from `fromMessageId` to `toMessageId`, both included, on one path. */
export interface Compaction {
  readonly id: string;
  readonly summary: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
  readonly createdAt: Date;
  readonly metadata?: CompactionMetadata | undefined;
}

/** Sizes in tokens, `cost` in dollars. */
export interface CompactionMetadata {
  /** Before and after, of the whole history. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** Of the summarized range, as given to the model. */
  readonly rangeTokens?: number | undefined;
  readonly model?: string | undefined;
  readonly cost?: number | undefined;
  readonly author?: "person" | "model" | undefined;
  readonly focus?: string | undefined;
}

/** Any object with these twelve methods can back a `Session`, synchronously or not. */
export interface SessionProvider {
  getMessage(id: string): MaybePromise<SessionMessage | null>;
  /** Root to leaf, each summary as a message with the id `compaction_<id>`; `[]` for an unknown id. */
  getHistory(leafId?: string): MaybePromise<SessionMessage[]>;
  getLatestLeaf(): MaybePromise<SessionMessage | null>;
  /** Oldest first. */
  getBranches(messageId: string): MaybePromise<SessionMessage[]>;
  /** Ignores compactions. */
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

/** Messages deleted together, and restored together. */
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
   * When the active leaf is deleted, `sibling` continues at the leaf last used under the nearest sibling (the older one
   * first; without siblings, the parent). Default `sibling`.
   */
  readonly continueAt?: "sibling" | "parent" | undefined;
}

export interface ChangedDeletion extends Deletion {
  readonly changed: boolean;
}

export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: SessionMessage["role"];
  readonly createdAt: Date;
  /** At most 120 characters; may be empty. */
  readonly preview: string;
  readonly pinned: boolean;
  readonly label: string | null;
}

/** Oldest first; `index` counts from 0. */
export interface Siblings {
  readonly index: number;
  readonly count: number;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** A stored message, or (with `compaction`) the synthetic message of a summary. */
export interface WindowEntry {
  readonly message: StoredMessage;
  /** The previous stored message on this path; `null` for a root. For a summary, the message before its range. */
  readonly parentId: string | null;
  readonly siblings: Siblings;
  readonly pinned: boolean;
  readonly label: string | null;
  /** Increases from root to leaf, with gaps. */
  readonly position: number;
  readonly compaction?: (Compaction & { readonly messageCount: number }) | undefined;
}

export interface WindowOptions {
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
  /** Default 50. */
  readonly limit?: number | undefined;
  /** `true` takes the oldest entries between the two positions. Default: the newest. */
  readonly oldest?: boolean | undefined;
  /** Exclusive; pages towards the root. */
  readonly beforePosition?: number | undefined;
  /** Exclusive; with `oldest`, pages towards the leaf; with `overlays: false`, the originals of a summary. */
  readonly afterPosition?: number | undefined;
  /** `false` shows stored messages instead of summaries. Default `true`. */
  readonly overlays?: boolean | undefined;
  /** `false`, with `overlays: false`, skips the search for siblings: each entry seems to have none. Default `true`. */
  readonly siblings?: boolean | undefined;
}

export interface TranscriptWindow {
  /** Root-most first. */
  readonly entries: readonly WindowEntry[];
  /** The last message of the path; `null` in an empty session. */
  readonly leafId: string | null;
  /** Entries exist before the first one; with `oldest`, after the last one. */
  readonly hasMore: boolean;
}

export interface IterateOptions {
  readonly leafId?: string;
  readonly batchSize?: number;
}

export interface HistoryRowStat {
  readonly id: string;
  readonly role: SessionMessage["role"];
  /** JSON in UTF-8. */
  readonly bytes: number;
}

/** The newest part of a history, root-most first. */
export interface RecentHistory {
  readonly messages: StoredMessage[];
  readonly omittedMessages: number;
}

export interface LoadedSkill {
  readonly label: string;
  readonly key: string;
}

/** A store of the whole tree: active leaf, siblings, windows, undo. */
export interface SessionTreeProvider extends SessionProvider {
  getMessage(id: string): Promise<StoredMessage | null>;
  getHistory(leafId?: string): Promise<StoredMessage[]>;
  getLatestLeaf(): Promise<StoredMessage | null>;
  getBranches(messageId: string): Promise<StoredMessage[]>;
  getPathLength(leafId?: string): Promise<number>;
  /**
   * Adds `message` under `parentId`; `null` starts a new root, omitted continues the active leaf. @throws
   * {MessageNotFoundError} for an unknown parent or the message's own id. @throws {MessageConflictError} when the id
   * exists with another role or parts, or was deleted.
   */
  appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Appends a chain, all or nothing, the first as `appendMessage` does. A repetition stores only missing messages.
   * @throws as `appendMessage` does. @throws {InvalidArgumentError} for an id given twice.
   */
  appendMessages(
    messages: readonly SessionMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]>;
  /**
   * Replaces everything but parent, role and time. False, with nothing written, when nothing changes.
   *
   * @throws {MessageNotFoundError}
   */
  updateMessage(message: SessionMessage): Promise<boolean>;
  /**
   * Removes messages from every path; their children move to the nearest surviving ancestor. Unknown ids are ignored. A
   * repeated `deletionId`, or messages that one deletion has removed already, return that deletion, also after it was
   * restored. @throws {DeletionConflictError} when `deletionId` has deleted other messages.
   */
  deleteMessages(
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
  ): Promise<ChangedDeletion>;
  /** @returns false when restored before. @throws {DeletionNotFoundError} */
  restoreMessages(deletionId: string): Promise<boolean>;
  clearMessages(): Promise<void>;
  /** @throws {MessageNotFoundError} */
  setActiveLeaf(messageId: string): Promise<void>;
  /**
   * Moves the active leaf back over up to `count` stored messages, also before the first one: then the next message
   * becomes a root. Concurrent calls pass different messages. @throws {InvalidArgumentError} for a count that is
   * negative or no whole number; `Infinity` steps before the first.
   */
  stepBack(count: number): Promise<SteppedBack>;
  /**
   * Replaces the end of the active path by a chain after a message (`null`: before the first one), if `expectedLeafId`
   * is still the active leaf; removes nothing. An empty chain only moves the active leaf, also in an archived session.
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
   * stretch they share. The rest is appended there, under new ids where its own are taken; nothing is removed. A
   * summary in the list covers everything before it. A list stored already only moves the active leaf, also in an
   * archived session.
   *
   * @throws {InvalidArgumentError} for a message that cannot be stored.
   */
  follow(messages: readonly ListedMessage[], options?: FollowOptions): Promise<FollowResult>;
  /** The most recently used leaf at or below a message. @throws {MessageNotFoundError} */
  getLeafUnder(messageId: string): Promise<string>;
  /** Oldest first, the message included. @throws {MessageNotFoundError} */
  getSiblings(messageId: string): Promise<StoredMessage[]>;
  getRoots(): Promise<StoredMessage[]>;
  /** Oldest first. */
  getLeaves(): Promise<StoredMessage[]>;
  /** Parents before children, siblings oldest first. */
  getTree(): Promise<TreeNode[]>;
  getWindow(options?: WindowOptions): Promise<TranscriptWindow>;
  /** The newest visible messages whose stored content (`getHistoryRowStats`) fits `maxBytes`, but at least `minRecentMessages` (the leaf always). */
  getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory>;
  iterateHistory(options?: IterateOptions): AsyncIterable<StoredMessage[]>;
  /** Root to leaf, ignoring summaries; `[]` for an unknown id. */
  getHistoryRowStats(leafId?: string): Promise<HistoryRowStat[]>;
  /** A pinned message stays verbatim inside a compacted range; unpinning removes its label. @throws {MessageNotFoundError} */
  setPinned(messageId: string, pinned: boolean): Promise<void>;
  /**
   * One line of at most 80 characters, which also pins the message; `null` or blank removes the label alone.
   *
   * @throws {MessageNotFoundError} @throws {InvalidArgumentError} for a longer one.
   */
  setLabel(messageId: string, label: string | null): Promise<void>;
  /**
   * Ends may be ids of messages or of synthetic summary messages.
   *
   * @throws {MessageNotFoundError} for an unknown end. @throws {CompactionRangeError} when they bound no range.
   */
  addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /** Replaces a summary of the same range atomically. @throws {CompactionNotFoundError} when the old one is gone. */
  replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /** Oldest first, covered ones included, removed ones left out. */
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
  /** Loaded and not unloaded on the path to a leaf, in order of loading. */
  getLoadedSkills(leafId?: string): Promise<LoadedSkill[]>;
  /** Records a load or unload by a person at the active leaf. */
  recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void>;
}

export function isTreeProvider(provider: SessionProvider): provider is SessionTreeProvider {
  return "getWindow" in provider && "setActiveLeaf" in provider && "restoreMessages" in provider;
}
