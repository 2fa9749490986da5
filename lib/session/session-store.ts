import type { BlockRef, TextWrite } from "./block-store";
import type { AnyContextProvider, WritableContextProvider } from "./context-provider";
import { InvalidArgumentError } from "./errors";
import type { SessionEvents, Usage } from "./events";
import type { ExportedSession } from "./portable/session-records";
import type { ProposalStore } from "./proposals";
import type { SearchQuery } from "./search/query";
import type { SearchHit, SearchOptions } from "./search/search-hits";
import type { SessionTreeProvider } from "./session-provider";

/** A session without its messages. Dates that did not happen are `null`. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly parentSessionId: string | null;
  /** `parentSessionId` under the name the Agents SDK uses. */
  readonly parent_session_id: string | null;
  /** The message of the parent this session was forked at. */
  readonly forkedAtMessageId: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly messageCount: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Dollars. */
  readonly cost: number;
  readonly pinnedAt: Date | null;
  readonly archivedAt: Date | null;
  /** Milliseconds; `null` for a session that never expires. */
  readonly expiresAfterMs: number | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface CreateSessionOptions {
  /** Chosen by the caller so that a retry is harmless; default a random UUID. */
  readonly id?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly model?: string | undefined;
  readonly source?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Expires this many milliseconds after its last write. It then takes neither reads nor writes
   * (`SessionExpiredError`), is not listed, and is removed by `purge`.
   */
  readonly expiresAfterMs?: number | undefined;
}

/** Omitted fields stay; `metadata` keys merge, `undefined` values are dropped. */
export interface SessionChanges {
  readonly name?: string | undefined;
  readonly model?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  /** From now on; `null` for never. */
  readonly expiresAfterMs?: number | null | undefined;
}

/** Newest activity first. */
export interface ListSessionsOptions {
  /** Default 100, at most 500. */
  readonly limit?: number | undefined;
  /** From the previous page. */
  readonly cursor?: string | undefined;
  /** `true` lists only archived sessions, `false` (default) only the others. */
  readonly archived?: boolean | undefined;
  readonly tag?: string | undefined;
  /** Only children of this session: forks, splits and sessions created with it as parent. */
  readonly parentSessionId?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

export interface DeleteOptions {
  /** Removes it for good, which frees its id. Sessions forked from it keep what they share; its children move up. */
  readonly permanently?: boolean | undefined;
  /**
   * Chosen by the caller so that a retry is harmless: an id deletes once, also after its session was restored. Default a
   * random UUID; ignored by a permanent deletion.
   */
  readonly deletionId?: string | undefined;
}

export interface ForkOptions {
  readonly id?: string | undefined;
  /** Also includes branches that leave the copied path. Default: the path alone. */
  readonly withSideBranches?: boolean | undefined;
}

/** A session after a call that may be repeated, and whether this call changed anything. */
export interface ChangedSession extends SessionInfo {
  readonly changed: boolean;
}

export interface SessionRegistry {
  /** A repeated id returns the existing session. */
  create(name: string, options?: CreateSessionOptions): Promise<ChangedSession>;
  /** `null` when unknown, deleted or expired. */
  get(sessionId: string): Promise<SessionInfo | null>;
  /** Pinned first, then newest activity first; stable across pages. */
  list(options?: ListSessionsOptions): Promise<SessionPage>;
  update(sessionId: string, changes: SessionChanges): Promise<SessionInfo>;
  /**
   * Can be undone with `restore` unless it was permanent. @returns whether this call deleted it.
   *
   * @throws {DeletionConflictError} when the id has deleted another session.
   */
  delete(sessionId: string, options?: DeleteOptions): Promise<boolean>;
  /** Removes for good what was deleted or has expired at least `olderThanMs` milliseconds ago. @returns their ids, which are free. */
  purge(olderThanMs: number): Promise<string[]>;
  /** Counts as activity; with a `deletionId` only undoes that deletion. @throws {SessionNotFoundError} */
  restore(sessionId: string, deletionId?: string): Promise<ChangedSession>;
  /**
   * Deletes sessions idle for longer than `idleMs` milliseconds, except pinned ones. They can be restored. @returns
   * their ids.
   */
  expire(idleMs: number): Promise<string[]>;
  /**
   * Creates a session that shares the path to `atMessageId` with the source: one row for a path of any length.
   * Independent of later changes to its source.
   *
   * @throws {SessionNotFoundError} @throws {MessageNotFoundError}
   */
  fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options?: ForkOptions,
  ): Promise<ChangedSession>;
  /** Forks, oldest first. */
  forks(sessionId: string): Promise<SessionInfo[]>;
  /** Adds to the totals. @throws {SessionNotFoundError} */
  addUsage(sessionId: string, usage: Usage): Promise<void>;
  /**
   * Returns the session as data. @throws {SessionNotFoundError} @throws {ExportDamagedError} for messages of another
   * shape.
   */
  export(sessionId: string): Promise<ExportedSession>;
  /**
   * Stores an exported session under its id, in one piece: readers see all of it or nothing. Replaces a deleted session
   * of that id, which can then not be restored.
   *
   * @throws {ExportDamagedError} for records that make no tree.
   * @throws {SessionExistsError} when there is one, or another call is storing it.
   */
  import(exported: ExportedSession): Promise<ChangedSession>;
  /** Across all sessions of the owner. */
  search(query: string | SearchQuery, options?: SearchOptions): Promise<SearchHit[]>;
}

export interface MessagesOptions {
  /** Refuses appends while the session is archived; calls that only move the active leaf still work. Default `false`. */
  readonly refusesArchived?: boolean | undefined;
}

/**
 * Creates the providers of sessions. `Session.create(store)` and `SessionManager.create(store)` take blocks, prompt
 * cache and messages from it; `lib/postgres` implements it for an owner.
 */
export interface SessionStore {
  readonly sessions: SessionRegistry;
  /** The owner of everything in it, where one database serves several. */
  readonly ownerId?: string | undefined;
  /** The events of its writes. Only a store made with `emittingStore` has them. */
  readonly events?: SessionEvents | undefined;
  /** Proposals of models. */
  readonly proposals: ProposalStore;
  /** Appends throw `SessionArchivedError` where the options refuse them. */
  messages(sessionId: string, options?: MessagesOptions): SessionTreeProvider;
  /** The default provider of a block: writable, versioned. */
  block(ref: BlockRef): WritableContextProvider & AnyContextProvider;
  /**
   * Writes the texts of several blocks, all or none.
   *
   * @throws {BlockConflictError} that names every block of another version than expected.
   * @throws {InvalidArgumentError} for two writes to one block.
   */
  writeBlocks(writes: readonly TextWrite[]): Promise<void>;
  /**
   * Another store of the same owner, with sessions, ids, search and blocks of its own. The same name gives the same
   * content. @throws {InvalidArgumentError} for a blank name, or one with U+001F.
   */
  namespace?(name: string): SessionStore;
  /** Stores a session's frozen prompt, ideally as a `FrozenPromptProvider`. */
  promptCache(sessionId: string): WritableContextProvider;
}

const namespaceSeparator = "\u001f";

/**
 * The key of a namespace of an owner, an owner of its own to every statement: no query can leave the owner, or mix up
 * two namespaces.
 *
 * @throws {InvalidArgumentError} for a blank name, or one with the separator U+001F.
 */
export function namespaceKey(ownerId: string, ...names: readonly string[]): string {
  if ([ownerId, ...names].some((name) => name.includes(namespaceSeparator)))
    throw new InvalidArgumentError("The names of owners and namespaces do not contain U+001F.");
  if (names.some((name) => name.trim() === ""))
    throw new InvalidArgumentError("The name of a namespace is not blank.");
  return [ownerId, ...names].join(namespaceSeparator);
}

/** Begins the keys of an owner's namespaces. */
export function namespacePrefix(ownerId: string): string {
  return ownerId + namespaceSeparator;
}

export function isSessionStore(value: object): value is SessionStore {
  return "sessions" in value && "messages" in value && "promptCache" in value;
}
