import type { AppendOptions, AppendResult, SessionMessage, StoredMessage } from "./message";
import type { SearchQuery } from "./search/query";
import type { SearchHit, SearchOptions } from "./search/search-types";

/** An answer now or later; every caller awaits it. */
export type MaybePromise<T> = T | Promise<T>;

/** A summary that stands for the messages from `fromMessageId` to `toMessageId`, both included, on one path. */
export interface Compaction {
  readonly id: string;
  readonly summary: string;
  readonly fromMessageId: string;
  readonly toMessageId: string;
  readonly createdAt: Date;
  /** What the caller noted about it: tokens before and after, model, cost. */
  readonly metadata?: CompactionMetadata | undefined;
}

/** What is known about how a summary came to be; sizes in tokens, the price in dollars. */
export interface CompactionMetadata {
  /** Of the whole history, and what was left of it. */
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
  /** Of what the summary stands for, as it was given to the model that wrote it. */
  readonly rangeTokens?: number | undefined;
  readonly model?: string | undefined;
  /** Dollars. */
  readonly cost?: number | undefined;
  readonly author?: "person" | "model" | undefined;
  readonly focus?: string | undefined;
}

/**
 * Where a session's messages are kept: the documented core. Any object with these twelve methods can stand behind a
 * `Session`; answers may be plain values or promises.
 */
export interface SessionProvider {
  getMessage(id: string): MaybePromise<SessionMessage | null>;
  /** Root to leaf with compactions applied; an unknown id gives `[]`. */
  getHistory(leafId?: string): MaybePromise<SessionMessage[]>;
  getLatestLeaf(): MaybePromise<SessionMessage | null>;
  /** Children of a message, oldest first. */
  getBranches(messageId: string): MaybePromise<SessionMessage[]>;
  /** Stored messages on the path; compactions do not count. */
  getPathLength(leafId?: string): MaybePromise<number>;
  appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
    // biome-ignore lint/suspicious/noConfusingVoidType: a provider of the documented core returns nothing here
  ): MaybePromise<AppendResult | void>;
  updateMessage(message: SessionMessage): MaybePromise<void>;
  // biome-ignore lint/suspicious/noConfusingVoidType: a provider of the documented core returns nothing here
  deleteMessages(messageIds: readonly string[]): MaybePromise<Deletion | void>;
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

/** Names a set of messages deleted together, so that they can be put back together. */
export interface Deletion {
  readonly deletionId: string;
  readonly messageIds: readonly string[];
}

/** One message of the tree without its content. `depth` counts from 0 at a root. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: SessionMessage["role"];
  readonly createdAt: Date;
  /** The first words of its text, at most 120 characters; may be empty. */
  readonly preview: string;
  readonly pinned: boolean;
  /** A name a person gave it; `null` without one. */
  readonly label: string | null;
}

/** Where a message stands among the alternatives under the same parent, oldest first; `index` counts from 0. */
export interface Siblings {
  readonly index: number;
  readonly count: number;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** One line of a transcript: a stored message, or (with `compaction`) the synthetic message that shows a summary. */
export interface WindowEntry {
  readonly message: StoredMessage;
  /** The stored message before it on this path; `null` for a root. For a summary: what precedes its range. */
  readonly parentId: string | null;
  readonly siblings: Siblings;
  readonly pinned: boolean;
  /** A name a person gave the message; `null` without one, and for a summary. */
  readonly label: string | null;
  /** Order on the path: grows from root to leaf, with gaps. */
  readonly position: number;
  readonly compaction?: (Compaction & { readonly messageCount: number }) | undefined;
}

/** Which piece of which path to read. */
export interface WindowOptions {
  /** Any message; the path is root → that message. Omitted: the active leaf. */
  readonly leafId?: string | undefined;
  /** At most this many entries, newest kept. Default 50. */
  readonly limit?: number | undefined;
  /** Only entries before this position (exclusive), to read further up. */
  readonly beforePosition?: number | undefined;
  /** Only entries after this position (exclusive): with `overlays: false`, the originals behind a summary. */
  readonly afterPosition?: number | undefined;
  /** `false` shows every stored message instead of summaries. Default `true`. */
  readonly overlays?: boolean | undefined;
}

/** A piece of a path as it is shown, summaries in place of what they cover. */
export interface TranscriptWindow {
  /** Root-most first. */
  readonly entries: readonly WindowEntry[];
  /** The leaf the path ends at; `null` in an empty session. */
  readonly leafId: string | null;
  /** Whether entries precede the first one. */
  readonly hasMore: boolean;
}

/** The newest part of a history, root-most first. */
export interface RecentHistory {
  readonly messages: StoredMessage[];
  /** Visible messages that did not fit. */
  readonly omittedMessages: number;
}

/** A document of a skill block: the label of the block, and its key there. */
export interface LoadedSkill {
  readonly label: string;
  readonly key: string;
}

/**
 * A store that keeps the whole tree: pinned leaves, alternatives, windows, undo. Both the in-memory and the Postgres
 * provider are one of these and pass the same contract suite.
 */
export interface SessionTreeProvider extends SessionProvider {
  getMessage(id: string): Promise<StoredMessage | null>;
  getHistory(leafId?: string): Promise<StoredMessage[]>;
  getLatestLeaf(): Promise<StoredMessage | null>;
  getBranches(messageId: string): Promise<StoredMessage[]>;
  getPathLength(leafId?: string): Promise<number>;
  /**
   * Adds `message` under `parentId`; `null` starts a new root, omitted continues the active leaf.
   * @throws {MessageNotFoundError} for an unknown parent, a parent elsewhere, or the message's own id; nothing is stored.
   * @throws {MessageConflictError} when the id exists with another role or parts, or was deleted.
   */
  appendMessage(
    message: SessionMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /** Replaces parts and metadata; keeps parent, role and time. @throws {MessageNotFoundError} */
  updateMessage(message: SessionMessage): Promise<void>;
  /** Takes messages off every path; what hung under them moves to the nearest surviving ancestor. Unknown ids are ignored. */
  deleteMessages(messageIds: readonly string[]): Promise<Deletion>;
  /** Puts a deletion back. @throws {DeletionNotFoundError} */
  restoreMessages(deletionId: string): Promise<void>;
  clearMessages(): Promise<void>;
  /** Pins the leaf the session continues from; any message may be one. @throws {MessageNotFoundError} */
  setActiveLeaf(messageId: string): Promise<void>;
  /** The leaf most recently used at or under a message. @throws {MessageNotFoundError} */
  getLeafUnder(messageId: string): Promise<string>;
  /** The message and its alternatives under the same parent, oldest first. @throws {MessageNotFoundError} */
  getSiblings(messageId: string): Promise<StoredMessage[]>;
  getRoots(): Promise<StoredMessage[]>;
  /** Messages nothing hangs under, oldest first. */
  getLeaves(): Promise<StoredMessage[]>;
  /** Every message without content; parents before children, siblings oldest first. */
  getTree(): Promise<TreeNode[]>;
  getWindow(options?: WindowOptions): Promise<TranscriptWindow>;
  /** The newest visible messages whose JSON fits `maxBytes`, but at least `minRecentMessages` (the leaf always). */
  getRecentHistory(maxBytes: number, minRecentMessages?: number): Promise<RecentHistory>;
  iterateHistory(options?: { leafId?: string; batchSize?: number }): AsyncIterable<StoredMessage[]>;
  /** A pinned message is shown verbatim even inside a compacted range. @throws {MessageNotFoundError} */
  setPinned(messageId: string, pinned: boolean): Promise<void>;
  /**
   * Gives a message a short name, one line of at most 80 characters; `null` or a blank one takes it away.
   * @throws {MessageNotFoundError} @throws {InvalidArgumentError} for a longer one.
   */
  setLabel(messageId: string, label: string | null): Promise<void>;
  /**
   * Lays a summary over a range. Ends may be message ids or ids of synthetic summary messages.
   * @throws {MessageNotFoundError} for an unknown end. @throws {CompactionRangeError} when they bound no range.
   */
  addCompaction(
    summary: string,
    fromId: string,
    toId: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /**
   * Puts a summary in the place of another, over the same range, in one step: there is no moment without a summary.
   * @throws {CompactionNotFoundError} when the old one is not there any more; nothing is stored then.
   */
  replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction>;
  /** Every compaction not removed, oldest first, covered ones included. */
  getCompactions(): Promise<Compaction[]>;
  /** Takes a summary away; what it covered, an older summary or the messages, shows again. @throws {CompactionNotFoundError} */
  removeCompaction(compactionId: string): Promise<void>;
  /** Puts a removed summary back. @throws {CompactionNotFoundError} */
  restoreCompaction(compactionId: string): Promise<void>;
  /** Rewrites a summary's text. @throws {CompactionNotFoundError} */
  updateCompaction(compactionId: string, summary: string): Promise<void>;
  searchMessages(
    query: string | SearchQuery,
    options?: SearchOptions | number,
  ): Promise<SearchHit[]>;
  /** Skills loaded and not unloaded on the path to a leaf, in order of loading. */
  getLoadedSkills(leafId?: string): Promise<LoadedSkill[]>;
  /** Notes a load or unload made outside a message (by a person) at the active leaf. */
  recordSkillEvent(skill: LoadedSkill, action: "load" | "unload"): Promise<void>;
}

/** Whether a provider keeps the whole tree, or only the documented core. */
export function isTreeProvider(provider: SessionProvider): provider is SessionTreeProvider {
  return "getWindow" in provider && "setActiveLeaf" in provider && "restoreMessages" in provider;
}
