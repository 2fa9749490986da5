import { z } from "zod";
import {
  BlockConflictError,
  InvalidArgumentError,
  isVersionedProvider,
  NotSupportedError,
  SessionNotFoundError,
  type SessionStore,
} from "../../session";
import { reportFailure } from "../../session/internal";
import { NamespaceSessions } from "./namespace-sessions";
import { bodyOf, savedList } from "./saved-list";
import { parsedMessage, type SessionData, serializedMessages } from "./session-data";

export interface SessionObserver {
  onSessionLoad?(runId: string, sessionId: string, messageCount: number): unknown;
  onSessionSave?(runId: string, sessionId: string, messageCount: number): unknown;
}

export interface GroveSessionStoreOptions {
  /** Seconds without a write after which a session expires. Default: never. */
  ttlSeconds?: number | undefined;
  observers?: readonly SessionObserver[] | undefined;
}

export interface NamespaceOptions {
  namespace?: string | undefined;
}

export interface RunOptions extends NamespaceOptions {
  runId?: string | undefined;
}

export interface SessionMetadata {
  sessionId: string;
  namespace: string | null;
  messageCount: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface SessionSearchResult {
  sessionId: string;
  namespace: string | null;
  score: number;
  /** Snippets of people's and models' messages, best first, at most five. */
  matchedMessages: string[];
}

const namespacesBlock = { label: "selectools_namespaces", sessionId: null };
const namespacesSchema = z.array(z.string());

/** selectools' session store over a store of Grove. It sees only its own sessions, and a save removes nothing. */
export class GroveSessionStore {
  readonly #store: SessionStore;
  readonly #expiresAfterMs: number | undefined;
  readonly #observers: readonly SessionObserver[];

  constructor(store: SessionStore, { ttlSeconds, observers = [] }: GroveSessionStoreOptions = {}) {
    if (ttlSeconds !== undefined && !(ttlSeconds > 0))
      throw new InvalidArgumentError("Sessions expire after a positive time.");
    this.#store = store;
    this.#expiresAfterMs = ttlSeconds === undefined ? undefined : ttlSeconds * 1000;
    this.#observers = observers;
  }

  /**
   * Replaces messages, metadata and summary, and renews the time to live. @throws {InvalidArgumentError} for a blank
   * id, malformed messages, or the id of a foreign session. @throws {SessionExistsError} for a session deleted in the
   * app that can still be restored.
   */
  async save(
    sessionId: string,
    { messages, metadata = {}, summary }: Pick<SessionData, "messages"> & Partial<SessionData>,
    { namespace, runId }: RunOptions = {},
  ): Promise<void> {
    const given = messages.map(parsedMessage);
    const sessions = this.#in(namespace);
    if (namespace) await this.#remember(namespace);
    await sessions.put(sessionId, { metadata, summary }, (session) => savedList(session, given));
    await this.#notify("onSessionSave", runId, sessionId, messages.length);
  }

  /** `null` for an unknown or expired session. Includes messages appended since by others. */
  async load(
    sessionId: string,
    { namespace, runId }: RunOptions = {},
  ): Promise<SessionData | null> {
    const sessions = this.#in(namespace);
    const found = await sessions.find(sessionId);
    if (!found) return null;
    const messages = (await sessions.window(found)).flatMap(serializedMessages);
    await this.#notify("onSessionLoad", runId, sessionId, messages.length);
    const { metadata, summary } = found.saved;
    return {
      session_id: sessionId,
      messages,
      metadata,
      ...(summary != null && { summary }),
      created_at: found.info.createdAt.toISOString(),
      updated_at: found.info.updatedAt.toISOString(),
    };
  }

  async exists(sessionId: string, { namespace }: NamespaceOptions = {}): Promise<boolean> {
    return (await this.#in(namespace).find(sessionId)) !== null;
  }

  /** Deletes for good, also a session that was deleted in the app. @returns whether there was one. */
  async delete(sessionId: string, { namespace }: NamespaceOptions = {}): Promise<boolean> {
    return this.#in(namespace).delete(sessionId);
  }

  /** Most recent first; those of every namespace unless one is given. */
  async list({ namespace }: NamespaceOptions = {}): Promise<SessionMetadata[]> {
    const listed = await this.#inEach(namespace, async (sessions, name) => {
      const found = await sessions.list();
      return found.map(({ info: { id, createdAt, updatedAt }, saved: { messageCount } }) => ({
        sessionId: id,
        namespace: name,
        messageCount,
        createdAt,
        updatedAt,
      }));
    });
    return listed.sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
  }

  async listSessions(options?: NamespaceOptions): Promise<string[]> {
    return (await this.list(options)).map(({ sessionId }) => sessionId);
  }

  /** Sessions with any of the words in a message, best first; `limit` is 5 by default. */
  async search(
    query: string,
    { namespace, limit = 5 }: NamespaceOptions & { limit?: number | undefined } = {},
  ): Promise<SessionSearchResult[]> {
    const results = await this.#inEach(namespace, async (sessions, name) => {
      const found = await sessions.search(query);
      return found.map(({ sessionId, hits }) => ({
        sessionId,
        namespace: name,
        // More messages rank higher; how well each matches breaks ties.
        score: hits.reduce((sum, { score }) => sum + 1 + score / (1 + score), 0),
        matchedMessages: hits.map(({ snippet }) => snippet.text),
      }));
    });
    return results.sort((one, other) => other.score - one.score).slice(0, limit);
  }

  /**
   * Copies a session to an independent one; an existing target keeps its own messages on a branch. @throws
   * {SessionNotFoundError} for an unknown or expired source. @throws {SessionExistsError} for the id of a session that
   * was deleted in the app.
   */
  async branch(
    sourceId: string,
    newId: string,
    { namespace }: NamespaceOptions = {},
  ): Promise<void> {
    const sessions = this.#in(namespace);
    const source = await sessions.find(sourceId);
    if (!source) throw new SessionNotFoundError(sourceId);
    if (await sessions.fork(source, newId)) return;
    const list = await sessions.window(source);
    await sessions.put(newId, source.saved, async () => list.map(bodyOf));
  }

  #in(namespace: string | null | undefined): NamespaceSessions {
    if (!namespace) return new NamespaceSessions(this.#store, this.#expiresAfterMs);
    if (!this.#store.namespace) throw new NotSupportedError("namespaces");
    return new NamespaceSessions(this.#store.namespace(namespace), this.#expiresAfterMs);
  }

  async #inEach<Result>(
    namespace: string | undefined,
    read: (sessions: NamespaceSessions, namespace: string | null) => Promise<Result[]>,
  ): Promise<Result[]> {
    const names = namespace ? [namespace] : [null, ...(await this.#namespaces()).names];
    const results = await Promise.all(names.map((name) => read(this.#in(name), name)));
    return results.flat();
  }

  async #namespaces(): Promise<{ names: string[]; version: number | undefined }> {
    const block = this.#store.block(namespacesBlock);
    const { content, version } = isVersionedProvider(block)
      ? await block.read()
      : { content: await block.get(), version: undefined };
    return { names: content ? namespacesSchema.parse(JSON.parse(content)) : [], version };
  }

  /** Stores have no list of their namespaces. */
  async #remember(namespace: string): Promise<void> {
    for (;;) {
      const { names, version } = await this.#namespaces();
      if (names.includes(namespace)) return;
      const content = JSON.stringify([...names, namespace]);
      const write = { block: namespacesBlock, content, expectedVersion: version };
      try {
        return await this.#store.writeBlocks([write]);
      } catch (error) {
        if (!(error instanceof BlockConflictError)) throw error;
      }
    }
  }

  async #notify(
    event: keyof SessionObserver,
    runId: string = crypto.randomUUID(),
    sessionId: string,
    count: number,
  ): Promise<void> {
    for (const observer of this.#observers) {
      try {
        await observer[event]?.(runId, sessionId, count);
      } catch (error) {
        await reportFailure(error, { what: "A session observer", source: observer });
      }
    }
  }
}
