import type { BlockRef, TextWrite } from "./block-store";
import type { AnyContextProvider, WritableContextProvider } from "./context-provider";
import { InvalidArgumentError } from "./errors";
import type { SessionEvents, Usage } from "./events";
import type { ExportedSession } from "./portable/session-records";
import type { ProposalStore } from "./proposals";
import type { SearchQuery } from "./search/query";
import type { SearchHit, SearchOptions, SessionMatch } from "./search/search-hits";
import type { SessionTreeProvider } from "./session-provider";

/** Dates that did not happen are `null`. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly parentSessionId: string | null;
  /** `parentSessionId` under the name the Agents SDK uses. */
  readonly parent_session_id: string | null;
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
  /** `null`: never expires. */
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
   * Milliseconds after the last write. An expired session refuses reads and writes (`SessionExpiredError`), is not
   * listed, and is removed by `purge`.
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
  /** Counts from now on; `null` for never. */
  readonly expiresAfterMs?: number | null | undefined;
}

/** Newest activity first. */
export interface ListSessionsOptions {
  /** Default 100, at most 500. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** `true` lists only archived sessions, `false` (default) only the others. */
  readonly archived?: boolean | undefined;
  readonly tag?: string | undefined;
  /** Only its children: forks, splits and sessions created with it as parent. */
  readonly parentSessionId?: string | undefined;
  /**
   * A key's id lists its program's sessions (`metadata.program.keyId`); `null` lists everything else, with such
   * sessions that are pinned or forks. Default: all.
   */
  readonly program?: string | null | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

export interface DeleteOptions {
  /** Frees the id. Forks keep shared messages; children move up. */
  readonly permanently?: boolean | undefined;
  /**
   * An id deletes once, also after its session was restored. Default a random UUID; ignored by a permanent deletion.
   */
  readonly deletionId?: string | undefined;
}

export interface ForkOptions {
  readonly id?: string | undefined;
  /** Includes branches that leave the copied path. */
  readonly withSideBranches?: boolean | undefined;
}

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
   * Undone by `restore` unless permanent. @returns whether this call deleted it.
   *
   * @throws {DeletionConflictError} when the id has deleted another session.
   */
  delete(sessionId: string, options?: DeleteOptions): Promise<boolean>;
  /**
   * Removes for good sessions deleted or expired at least `olderThanMs` milliseconds ago.
   *
   * @returns their ids, which are free.
   */
  purge(olderThanMs: number): Promise<string[]>;
  /** Keeps its place in the list; with a `deletionId` undoes only that deletion. @throws {SessionNotFoundError} */
  restore(sessionId: string, deletionId?: string): Promise<ChangedSession>;
  /**
   * Deletes sessions idle for longer than `idleMs` milliseconds, except pinned ones and those restored and not used since.
   * They can be restored.
   *
   * @returns their ids.
   */
  expire(idleMs: number): Promise<string[]>;
  /**
   * Creates an independent session that shares the path to `atMessageId`: one row for any length. @throws
   * {SessionNotFoundError} @throws {MessageNotFoundError}
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
  /** @throws {SessionNotFoundError} @throws {ExportDamagedError} for messages of another shape. */
  export(sessionId: string): Promise<ExportedSession>;
  /**
   * Stores an exported session under its id in one piece; a deleted session of that id is replaced for good.
   *
   * @throws {ExportDamagedError} for records that make no tree.
   * @throws {SessionExistsError} when there is one, or another call is storing it.
   */
  import(exported: ExportedSession): Promise<ChangedSession>;
  /** Across all sessions of the owner. */
  search(query: string | SearchQuery, options?: SearchOptions): Promise<SearchHit[]>;
  /** Sessions with matches, each once, by their best hit; `limit` counts sessions. */
  searchSessions(query: string | SearchQuery, options?: SearchOptions): Promise<SessionMatch[]>;
}

export interface MessagesOptions {
  /** Refuses appends while the session is archived; moving the active leaf still works. Default `false`. */
  readonly refusesArchived?: boolean | undefined;
}

/** `Session.create(store)` and `SessionManager.create(store)` take blocks, prompt cache and messages from it. */
export interface SessionStore {
  readonly sessions: SessionRegistry;
  /** Needed when one database serves several owners. */
  readonly ownerId?: string | undefined;
  /** Stores made with `emittingStore` alone have them. */
  readonly events?: SessionEvents | undefined;
  readonly proposals: ProposalStore;
  /** Appends throw `SessionArchivedError` where the options refuse them. */
  messages(sessionId: string, options?: MessagesOptions): SessionTreeProvider;
  block(ref: BlockRef): WritableContextProvider & AnyContextProvider;
  /**
   * Writes all texts or none.
   *
   * @throws {BlockConflictError} that names every block of another version than expected.
   * @throws {InvalidArgumentError} for two writes to one block.
   */
  writeBlocks(writes: readonly TextWrite[]): Promise<void>;
  /**
   * Another store of the same owner, with content of its own; the same name gives the same content. @throws
   * {InvalidArgumentError} for a blank name, or one with U+001F.
   */
  namespace?(name: string): SessionStore;
  /** Ideally a `FrozenPromptProvider`. */
  promptCache(sessionId: string): WritableContextProvider;
}

const namespaceSeparator = "\u001f";

/**
 * Every statement takes it as an owner of its own: no query can leave the owner, or mix up two namespaces.
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

/** Every key of an owner's namespaces begins with it. */
export function namespacePrefix(ownerId: string): string {
  return ownerId + namespaceSeparator;
}

export function isSessionStore(value: object): value is SessionStore {
  return "sessions" in value && "messages" in value && "promptCache" in value;
}
