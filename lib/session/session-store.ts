import type { AnyContextProvider, WritableContextProvider } from "./context-provider";
import type { SessionEvents } from "./events";
import type { ProposalStore } from "./proposals";
import type { SearchQuery } from "./search/query";
import type { SearchHit, SearchOptions } from "./search/search-types";
import type { SessionTreeProvider } from "./session-provider";

/** A session as the registry knows it, without its messages. Dates that did not happen are `null`. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly parentSessionId: string | null;
  /** `parentSessionId` under the name that agents written for the Agents SDK read. */
  readonly parent_session_id: string | null;
  /** The message of the parent session this one was forked at. */
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a new session starts with besides its name. */
export interface CreateSessionOptions {
  /** Chosen by the caller so that a retry is harmless; a random UUID when omitted. */
  readonly id?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly model?: string | undefined;
  readonly source?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** What can be changed about a session. Omitted fields stay; `metadata` keys merge, `undefined` values are dropped. */
export interface SessionChanges {
  readonly name?: string | undefined;
  readonly model?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
}

/** Which sessions to list, newest activity first, and where the page begins. */
export interface ListSessionsOptions {
  /** Default 100, at most 500. */
  readonly limit?: number | undefined;
  /** As given in the previous page. */
  readonly cursor?: string | undefined;
  /** `true` lists only archived sessions, `false` (default) only the others. */
  readonly archived?: boolean | undefined;
  readonly tag?: string | undefined;
  /** Only children of this session: forks, splits and sessions made with it as their parent. */
  readonly parentSessionId?: string | undefined;
}

/** Some of the sessions, in the order of the list. */
export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

/** The id of a fork, and how much of the tree it takes along. */
export interface ForkOptions {
  readonly id?: string | undefined;
  /** Also take the branches that leave the copied path. Default: the path alone. */
  readonly withSideBranches?: boolean | undefined;
}

/** What model calls took. Adds up in the totals of a session. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Dollars. */
  readonly cost: number;
}

/** The registry of sessions of one owner. */
export interface SessionRegistry {
  /** The same id again returns the session that is there. */
  create(name: string, options?: CreateSessionOptions): Promise<SessionInfo>;
  /** `null` when unknown or deleted. */
  get(sessionId: string): Promise<SessionInfo | null>;
  /** Pinned first, then newest activity first; stable across pages. */
  list(options?: ListSessionsOptions): Promise<SessionPage>;
  /** @throws {SessionNotFoundError} */
  update(sessionId: string, changes: SessionChanges): Promise<SessionInfo>;
  /** Can be undone with `restore` until it is purged. @throws {SessionNotFoundError} */
  delete(sessionId: string): Promise<void>;
  /** Counts as activity. @throws {SessionNotFoundError} */
  restore(sessionId: string): Promise<SessionInfo>;
  /**
   * Deletes the sessions nothing has happened in for longer than `idleMs` milliseconds, except pinned ones. Each can be
   * restored. @returns their ids.
   */
  expire(idleMs: number): Promise<string[]>;
  /**
   * A new session whose path to `atMessageId` is shared with the source: one row, whatever the length. It never changes
   * when its source does.
   * @throws {SessionNotFoundError} @throws {MessageNotFoundError}
   */
  fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options?: ForkOptions,
  ): Promise<SessionInfo>;
  /** Sessions forked from this one, oldest first. */
  forks(sessionId: string): Promise<SessionInfo[]>;
  /** Adds to the totals. @throws {SessionNotFoundError} */
  addUsage(sessionId: string, usage: Usage): Promise<void>;
  /** Across all sessions of the owner. */
  search(query: string | SearchQuery, options?: SearchOptions): Promise<SearchHit[]>;
}

/** Whether a block holds in all sessions of its owner, or in one. */
export type BlockScope = "owner" | "session";

/** Names a document block: its label, and whether it belongs to the owner (all sessions) or to one session. */
export interface BlockAddress {
  readonly label: string;
  readonly scope: BlockScope;
  readonly sessionId: string;
}

/**
 * An object that can make every provider a session needs. `Session.create(store)` and `SessionManager.create(store)`
 * wire blocks, prompt cache and messages from it; `lib/postgres` makes one for an owner.
 */
export interface SessionStore {
  readonly sessions: SessionRegistry;
  /**
   * What happens in the sessions of the owner. A store that has it tells of every write to its registry and its messages
   * itself; for one that has none, each `Session` tells of its own writes.
   */
  readonly events?: SessionEvents | undefined;
  /** What models want to write and nobody has decided yet. */
  readonly proposals: ProposalStore;
  messages(sessionId: string): SessionTreeProvider;
  /** The default provider of a block: writable, versioned. */
  block(address: BlockAddress): WritableContextProvider & AnyContextProvider;
  /** Where a session keeps its frozen prompt, best a `FrozenPromptProvider`. */
  promptCache(sessionId: string): WritableContextProvider;
}

/** Whether a value makes providers, rather than being one. */
export function isSessionStore(value: object): value is SessionStore {
  return "sessions" in value && "messages" in value && "promptCache" in value;
}
