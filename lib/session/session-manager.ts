import {
  type ArchiveOptions,
  archiveSession,
  restoreSession,
  type SessionArchive,
} from "./archive";
import { checkedStore } from "./checked-arguments";
import type { WritableContextProvider } from "./context-provider";
import { asEmittingStore, type EmittingStore } from "./emitting";
import { InvalidArgumentError, SessionNotFoundError } from "./errors";
import type { SessionEventType, SessionListener, Usage } from "./events";
import {
  type Integrate,
  type Integration,
  type IntegrationBlocks,
  type IntegrationOptions,
  integrate,
} from "./family/integrate";
import { descendantsOf, listSessions } from "./family/list-sessions";
import { type SpawnOptions, spawnSession } from "./family/spawn-session";
import { type SplitOptions, splitSession } from "./family/split-session";
import { type SessionBlockWrite, textWrites } from "./family/write-blocks";
import type {
  AppendOptions,
  AppendResult,
  HistoryMessage,
  NewMessage,
  StoredMessage,
} from "./message";
import type { SearchHit, SearchOptions, SessionMatch } from "./search/search-hits";
import { Session } from "./session";
import { SessionBuilder } from "./session-builder";
import type { DeleteMessagesOptions, Deletion } from "./session-provider";
import {
  type ChangedSession,
  type CreateSessionOptions,
  type DeleteOptions,
  type ForkOptions,
  isSessionStore,
  type ListSessionsOptions,
  type SessionChanges,
  type SessionInfo,
  type SessionPage,
  type SessionStore,
} from "./session-store";
import { type CreateSessionTool, createSessionTool } from "./tools/create-session";
import type { Makes, MakesAs } from "./tools/made-tools";
import {
  type AskingMessage,
  type SessionSearchTool,
  searchAsText,
  sessionSearchTool,
} from "./tools/session-search";

export interface SessionToolsOptions {
  /** Required for `create_session`, which makes its children. */
  readonly parentSessionId?: string | undefined;
  /** The message the model answers, excluded from searches. */
  readonly asking?: AskingMessage | undefined;
}

export type ManagerTools = {
  readonly session_search: SessionSearchTool;
  readonly create_session?: CreateSessionTool;
};

const maxCachedSessions = 500;

/** Sessions of one owner with a shared configuration. Methods named as in `Session` do the same. */
export class SessionManager extends SessionBuilder {
  readonly #store: SessionStore & Pick<EmittingStore, "events">;
  readonly #sessions = new Map<string, Session>();
  #idleMs: number | null = null;

  constructor(store: SessionStore) {
    super();
    if (typeof store !== "object" || store === null || !isSessionStore(store)) {
      throw new InvalidArgumentError(
        "A manager needs a SessionStore, such as PostgresSessionStore or InMemorySessionStore.",
      );
    }
    this.#store = checkedStore(asEmittingStore(store));
  }

  /** `store` belongs to one owner. */
  static create(store: SessionStore): SessionManager {
    return new SessionManager(store);
  }

  /** Adds a block that lets the model search past conversations. */
  withSearchableHistory(label: string): this & Makes<"search_context"> {
    return this.withContext(label, {
      description: "Past conversations",
      provider: {
        get: () => "What was said in earlier conversations can be searched.",
        search: (query) => searchAsText((line, options) => this.search(line, options), query),
      },
    });
  }

  /** @throws {InvalidArgumentError} for one storage, which would mix the sessions' prompts. */
  override withCachedPrompt(cache?: (sessionId: string) => WritableContextProvider): this {
    if (cache !== undefined && typeof cache !== "function") {
      throw new InvalidArgumentError(
        "A manager needs a prompt cache for each session: withCachedPrompt((sessionId) => …).",
      );
    }
    return super.withCachedPrompt(cache);
  }

  /** Listens to every session of the owner. */
  on<Type extends SessionEventType>(type: Type, listener: SessionListener<Type>): () => void {
    const { onListenerError: onError } = this.settings;
    return this.#store.events.on(type, listener, { onError });
  }

  /** Deletes sessions idle for `idleMs` milliseconds before the next `get`, `list` or `search`, except pinned ones. */
  expireAfter(idleMs: number): this {
    this.assertConfigurable();
    if (!(idleMs > 0)) throw new InvalidArgumentError("Sessions expire after a positive time.");
    this.#idleMs = idleMs;
    return this;
  }

  /** Returns the existing session for a repeated id. @throws {SessionExistsError} for a deleted one. */
  async create(name: string, options?: CreateSessionOptions): Promise<SessionInfo> {
    return infoOf(await this.#store.sessions.create(name, options));
  }

  /** `null` for an unknown or deleted session. */
  async get(sessionId: string): Promise<SessionInfo | null> {
    await this.#expire();
    return this.#store.sessions.get(sessionId);
  }

  /** Pinned first, then newest activity first. */
  async list(options: Omit<ListSessionsOptions, "cursor"> = {}): Promise<SessionInfo[]> {
    await this.#expire();
    return listSessions(this.#store.sessions, options);
  }

  /** `list` in pages: `limit` is 100 by default, at most 500. */
  async listPage(options?: ListSessionsOptions): Promise<SessionPage> {
    await this.#expire();
    return this.#store.sessions.list(options);
  }

  async rename(sessionId: string, name: string): Promise<SessionInfo> {
    return this.#store.sessions.update(sessionId, { name });
  }

  async update(sessionId: string, changes: SessionChanges): Promise<SessionInfo> {
    return this.#store.sessions.update(sessionId, changes);
  }

  /** Undone by `restore` unless permanent. @returns whether there was one. */
  async delete(sessionId: string, options?: DeleteOptions): Promise<boolean> {
    const deleted = await this.#store.sessions.delete(sessionId, options);
    this.#sessions.delete(sessionId);
    return deleted;
  }

  /**
   * Removes for good sessions deleted or expired at least `olderThanMs` milliseconds ago. @returns their ids, which are
   * free.
   */
  async purge(olderThanMs: number): Promise<string[]> {
    const purged = await this.#store.sessions.purge(olderThanMs);
    for (const id of purged) this.#sessions.delete(id);
    return purged;
  }

  /**
   * Exports a session, which stays here until it is deleted. @throws {SessionNotFoundError} @throws
   * {ArchiveFailedError} @throws {FilesNotArchivedError}
   */
  async archiveTo(
    archive: SessionArchive,
    sessionId: string,
    options: ArchiveOptions = {},
  ): Promise<void> {
    return archiveSession(this.#store, archive, { ...options, sessionId });
  }

  /**
   * Stores an archived session under its id, completely or not at all; a deleted one is replaced for good. @throws
   * {ArchiveNotFoundError} @throws {ArchiveFailedError} @throws {ExportDamagedError} @throws {SessionExistsError} when
   * the session was not deleted.
   */
  async restoreFrom(archive: SessionArchive, sessionId: string): Promise<SessionInfo> {
    const restored = await restoreSession(this.#store, archive, sessionId);
    this.#sessions.delete(sessionId);
    return infoOf(restored);
  }

  async restore(sessionId: string): Promise<SessionInfo> {
    return infoOf(await this.#store.sessions.restore(sessionId));
  }

  /** The same object for the same id. Reads and writes nothing. */
  getSession<Self extends SessionManager>(this: Self, sessionId: string): Session & MakesAs<Self> {
    const session = this.#sessions.get(sessionId) ?? this.#makeSession(sessionId);
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size > maxCachedSessions)
      this.#sessions.delete(oldest);
    return session;
  }

  async append(
    sessionId: string,
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    return this.getSession(sessionId).appendMessage(message, parentId, options);
  }

  async upsert(sessionId: string, message: NewMessage, parentId?: string | null): Promise<void> {
    await this.getSession(sessionId).upsertMessage(message, parentId);
  }

  /** The first under `parentId` (omitted: the active leaf). */
  async appendAll(
    sessionId: string,
    messages: readonly NewMessage[],
    parentId?: string | null,
  ): Promise<AppendResult[]> {
    return this.getSession(sessionId).appendMessages(messages, parentId);
  }

  async getHistory(sessionId: string, leafId?: string): Promise<HistoryMessage[]> {
    await this.#require(sessionId);
    return this.getSession(sessionId).getHistory(leafId);
  }

  /** On all branches. */
  async getMessageCount(sessionId: string): Promise<number> {
    return (await this.#require(sessionId)).messageCount;
  }

  /** Removes messages and keeps blocks. */
  async clearMessages(sessionId: string): Promise<void> {
    await this.#require(sessionId);
    await this.getSession(sessionId).clearMessages();
  }

  async deleteMessages(
    sessionId: string,
    messageIds: readonly string[],
    options?: DeleteMessagesOptions,
  ): Promise<Deletion> {
    await this.#require(sessionId);
    return this.getSession(sessionId).deleteMessages(messageIds, options);
  }

  /** Oldest first. */
  async getBranches(sessionId: string, messageId: string): Promise<StoredMessage[]> {
    const [branches] = await Promise.all([
      this.getSession(sessionId).getBranches(messageId),
      this.#require(sessionId),
    ]);
    return branches;
  }

  /** Creates an independent session that starts from a message of another. @throws {MessageNotFoundError} */
  async fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options?: ForkOptions,
  ): Promise<SessionInfo> {
    return infoOf(await this.#store.sessions.fork(sessionId, atMessageId, name, options));
  }

  /** Oldest first. */
  async forks(sessionId: string): Promise<SessionInfo[]> {
    return this.#store.sessions.forks(sessionId);
  }

  /** Creates a child with nothing, all, or a part of its parent's conversation. */
  async spawn(sessionId: string, name: string, options: SpawnOptions = {}): Promise<SessionInfo> {
    const parent = { info: await this.#require(sessionId), session: this.getSession(sessionId) };
    const { context } = this.settings;
    return this.#require(await spawnSession(this.#store, parent, { name, options, context }));
  }

  /** Forks, splits and sessions created with it as parent, in the order of `list`. */
  async children(sessionId: string): Promise<SessionInfo[]> {
    await this.#require(sessionId);
    return this.list({ parentSessionId: sessionId });
  }

  /** Children, their children, and so on; parents before children. */
  async descendants(sessionId: string): Promise<SessionInfo[]> {
    await this.#require(sessionId);
    return descendantsOf(this.#store.sessions, sessionId);
  }

  /**
   * All or none. Frozen prompts stay.
   *
   * @throws {BlockConflictError} that names every block of another version than expected.
   * @throws {NotSupportedError} for a block with its own provider.
   */
  async writeBlocks(writes: readonly SessionBlockWrite[]): Promise<void> {
    await this.#store.writeBlocks(textWrites(this.settings.context, writes));
  }

  /**
   * Combines the memories of a session's children, or of others, and returns insights to them, all or none. Refreshes
   * the prompts it changes.
   *
   * @throws {InvalidArgumentError} for an insight to a session that was not combined.
   * @throws {BlockConflictError} when the synthesis or an unused insight changed meanwhile.
   */
  async integrate(
    sessionId: string,
    blocks: IntegrationBlocks,
    combine: Integrate,
    { over = "children" }: IntegrationOptions = {},
  ): Promise<Integration> {
    const parent = this.getSession(sessionId);
    const children = (await this.#integrated(sessionId, over)).filter(({ id }) => id !== sessionId);
    const open = (id: string) => this.getSession(id);
    const write = (writes: readonly SessionBlockWrite[]) => this.writeBlocks(writes);
    return integrate({ parent, children, open, write }, { blocks, combine });
  }

  async compactAndSplit(sessionId: string, options: SplitOptions = {}): Promise<SessionInfo> {
    const info = await this.#require(sessionId);
    const { compactFunction, context } = this.settings;
    const from = { info, session: this.getSession(sessionId) };
    const split = await splitSession(this.#store, from, { compactFunction, context, ...options });
    return (await this.get(split.id)) ?? split;
  }

  /** `cost` is in dollars. */
  async addUsage(
    sessionId: string,
    inputTokens: number,
    outputTokens: number,
    cost = 0,
  ): Promise<void> {
    const usage: Usage = { inputTokens, outputTokens, cost };
    await this.getSession(sessionId).addUsage(usage);
  }

  /** Messages and summaries of all sessions, best first. */
  async search(query: string, options?: SearchOptions): Promise<SearchHit[]> {
    await this.#expire();
    return this.#store.sessions.search(query, options);
  }

  /** Best first; `limit` is 5 and `match` `"any"` by default. */
  async searchSessions(
    query: string,
    { limit = 5, match = "any", ...options }: SearchOptions = {},
  ): Promise<SessionMatch[]> {
    await this.#expire();
    return this.#store.sessions.searchSessions(query, { ...options, match, limit });
  }

  /** Tools about all sessions; with `parentSessionId` also to create children of that session. */
  tools({ parentSessionId, asking }: SessionToolsOptions = {}): ManagerTools {
    return {
      session_search: sessionSearchTool((query, options) => this.search(query, options), asking),
      ...(parentSessionId !== undefined && {
        create_session: createSessionTool((name, options) =>
          this.spawn(parentSessionId, name, options),
        ),
      }),
    };
  }

  protected assertConfigurable(): void {
    if (this.#sessions.size > 0) {
      throw new InvalidArgumentError("A manager is set up before its first session is used.");
    }
  }

  async #integrated(
    sessionId: string,
    over: NonNullable<IntegrationOptions["over"]>,
  ): Promise<SessionInfo[]> {
    if (over === "children") return this.children(sessionId);
    if (over === "descendants") return this.descendants(sessionId);
    await this.#require(sessionId);
    return this.list({ tag: over.tag });
  }

  async #expire(): Promise<void> {
    if (this.#idleMs === null) return;
    for (const id of await this.#store.sessions.expire(this.#idleMs)) this.#sessions.delete(id);
  }

  #makeSession(sessionId: string): Session {
    const session = new Session(this.#store, { sessionId, createsSession: false });
    return SessionBuilder.configured(session, this.settings);
  }

  async #require(sessionId: string): Promise<SessionInfo> {
    const info = await this.get(sessionId);
    if (!info) throw new SessionNotFoundError(sessionId);
    return info;
  }
}

function infoOf({ changed: _, ...info }: ChangedSession): SessionInfo {
  return info;
}
