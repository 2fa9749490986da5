import { z } from "zod";
import {
  InvalidArgumentError,
  type SearchHit,
  Session,
  type SessionInfo,
  SessionManager,
  SessionNotFoundError,
  type SessionStore,
  type StoredMessage,
} from "@/lib/session";
import { isSessionError, type ListedMessage, reportFailure } from "@/lib/session/internal";
import { bodyOf, savedList } from "./saved-list";
import { parsedMessage, type SessionData, serializedMessages } from "./session-data";

/** Called after a session was saved or loaded. */
export interface SessionObserver {
  onSessionLoad?(runId: string, sessionId: string, messageCount: number): unknown;
  onSessionSave?(runId: string, sessionId: string, messageCount: number): unknown;
}

export interface GroveSessionStoreOptions {
  /** A session not written to for longer has expired. Omitted: none ever does. */
  ttlSeconds?: number | undefined;
  observers?: readonly SessionObserver[] | undefined;
}

export interface NamespaceOptions {
  /** Keeps apart sessions with one id. */
  namespace?: string | undefined;
}

export interface RunOptions extends NamespaceOptions {
  /** For observers; default a random one. */
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
  /** Higher is better; comparable within one answer. */
  score: number;
  /** Snippets of messages by people and models, best first, at most five. */
  matchedMessages: string[];
}

const tag = "selectools";
/** In the metadata of a session. */
const savedSchema = z.object({
  sessionId: z.string(),
  namespace: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  /** Of the list last saved; older messages of the path have slid out of its window. */
  firstMessageId: z.string().nullable(),
  messageCount: z.number(),
});
type Saved = z.infer<typeof savedSchema>;

const searchedSessions = 100;

/**
 * selectools' session store over a store of Grove. A save makes the active path read as the given list: it appends what
 * is new, branches where the list differs, and removes nothing. Sees only sessions that it has saved.
 */
export class GroveSessionStore {
  readonly #store: SessionStore;
  readonly #sessions: SessionManager;
  readonly #expiresAfterMs: number | undefined;
  readonly #observers: readonly SessionObserver[];

  constructor(store: SessionStore, { ttlSeconds, observers = [] }: GroveSessionStoreOptions = {}) {
    if (ttlSeconds !== undefined && !(ttlSeconds > 0))
      throw new InvalidArgumentError("Sessions expire after a positive time.");
    this.#store = store;
    this.#sessions = SessionManager.create(store);
    this.#expiresAfterMs = ttlSeconds === undefined ? undefined : ttlSeconds * 1000;
    this.#observers = observers;
  }

  /**
   * Creates a session or replaces its messages and metadata, and renews its time to live.
   *
   * @throws {InvalidArgumentError} for an empty id, messages of another shape, or the id of a session of another origin.
   */
  async save(
    sessionId: string,
    { messages, metadata = {} }: Pick<SessionData, "messages"> & Partial<SessionData>,
    { namespace, runId }: RunOptions = {},
  ): Promise<void> {
    const given = messages.map(parsedMessage);
    await this.#put({ sessionId, namespace: namespace ?? null, metadata }, (session) =>
      savedList(session, given),
    );
    await this.#notify("onSessionSave", runId, sessionId, messages.length);
  }

  /** `null` for an unknown or expired session. Includes messages appended since by others. */
  async load(
    sessionId: string,
    { namespace, runId }: RunOptions = {},
  ): Promise<SessionData | null> {
    const found = await this.#find(keyOf(sessionId, namespace));
    if (!found) return null;
    const messages = (await this.#window(found)).flatMap(serializedMessages);
    await this.#notify("onSessionLoad", runId, sessionId, messages.length);
    return {
      session_id: sessionId,
      messages,
      metadata: found.saved.metadata,
      created_at: found.info.createdAt.toISOString(),
      updated_at: found.info.updatedAt.toISOString(),
    };
  }

  async exists(sessionId: string, { namespace }: NamespaceOptions = {}): Promise<boolean> {
    return (await this.#find(keyOf(sessionId, namespace))) !== null;
  }

  /** For good. @returns whether there was one. */
  async delete(sessionId: string, { namespace }: NamespaceOptions = {}): Promise<boolean> {
    const key = keyOf(sessionId, namespace);
    const found = await this.#find(key);
    if (!found) return false;
    return this.#store.sessions.delete(key, { permanently: true });
  }

  /** Most recent first; those of every namespace unless one is given. */
  async list({ namespace }: NamespaceOptions = {}): Promise<SessionMetadata[]> {
    const infos = await this.#sessions.list({ tag });
    return infos
      .flatMap((info) => foundIn(info) ?? [])
      .filter(({ saved }) => namespace === undefined || saved.namespace === namespace)
      .map(
        ({
          info: { createdAt, updatedAt },
          saved: { sessionId, namespace: of, messageCount },
        }) => ({
          sessionId,
          namespace: of,
          messageCount,
          createdAt,
          updatedAt,
        }),
      );
  }

  async listSessions(options?: NamespaceOptions): Promise<string[]> {
    return (await this.list(options)).map(({ sessionId }) => sessionId);
  }

  /** Sessions with any of the words in a message by a person or a model, best first; `limit` is 5 by default. */
  async search(
    query: string,
    { namespace, limit = 5 }: NamespaceOptions & { limit?: number | undefined } = {},
  ): Promise<SessionSearchResult[]> {
    const matches = await this.#sessions.searchSessions(query, {
      tag,
      parts: ["text"],
      limit: searchedSessions,
    });
    const results = await Promise.all(
      matches.map(async ({ sessionId, hits }) => {
        const found = await this.#find(sessionId);
        if (!found || (namespace !== undefined && found.saved.namespace !== namespace)) return [];
        return resultOf(found.saved, hits.filter(isSaid));
      }),
    );
    return results
      .flat()
      .sort((one, other) => other.score - one.score)
      .slice(0, limit);
  }

  /**
   * Copies a session to another id; both are independent from then on. A new one shares the messages of its source. An
   * existing one is saved as its source reads, with its own messages on a branch.
   *
   * @throws {SessionNotFoundError} for an unknown or expired source.
   */
  async branch(
    sourceId: string,
    newId: string,
    { namespace }: NamespaceOptions = {},
  ): Promise<void> {
    const source = await this.#find(keyOf(sourceId, namespace));
    if (!source) throw new SessionNotFoundError(sourceId);
    const key = keyOf(newId, namespace);
    if (await this.#isForked(source, { key, newId })) {
      await this.#describe(key, { ...source.saved, sessionId: newId });
    } else {
      const list = await this.#window(source);
      await this.#put({ ...source.saved, sessionId: newId }, async () => list.map(bodyOf));
    }
  }

  #session(key: string): Session {
    return new Session(this.#store, { sessionId: key, createsSession: false });
  }

  async #find(key: string): Promise<Found | null> {
    const info = await this.#sessions.get(key);
    return info && foundIn(info);
  }

  async #put(
    { sessionId, namespace, metadata }: Pick<Saved, "sessionId" | "namespace" | "metadata">,
    listFor: (session: Session) => Promise<readonly ListedMessage[]>,
  ): Promise<void> {
    const key = keyOf(sessionId, namespace);
    const info = await this.#sessions.get(key);
    if (info) assertOwn(info);
    else await this.#create(key, sessionId);
    const session = this.#session(key);
    const { messageIds } = await session.follow(await listFor(session));
    await this.#describe(key, {
      sessionId,
      namespace,
      metadata,
      firstMessageId: messageIds[0] ?? null,
      messageCount: messageIds.length,
    });
  }

  /** Deletes an expired session that has the id. */
  async #create(key: string, name: string): Promise<void> {
    const expiresAfterMs = this.#expiresAfterMs;
    const create = () =>
      this.#sessions.create(name, { id: key, tags: [tag], source: tag, expiresAfterMs });
    try {
      await create();
    } catch (error) {
      if (!(isSessionError(error) && error.code === "session-expired")) throw error;
      await this.#store.sessions.delete(key, { permanently: true });
      await create();
    }
  }

  /** False for a source without messages, and when another session has the id. */
  async #isForked(
    { info }: Found,
    { key, newId }: { readonly key: string; readonly newId: string },
  ): Promise<boolean> {
    const leaf = await this.#session(info.id).getLatestLeaf();
    if (!leaf || (await this.#sessions.get(key))) return false;
    try {
      await this.#sessions.fork(info.id, leaf.id, newId, { id: key });
      return true;
    } catch (error) {
      if (isSessionError(error) && error.code === "session-exists") return false;
      throw error;
    }
  }

  /** Renews the time to live, also when nothing else has changed. */
  async #describe(key: string, saved: Saved): Promise<void> {
    const expiresAfterMs = this.#expiresAfterMs;
    await this.#sessions.update(key, { metadata: { selectools: saved }, expiresAfterMs });
  }

  async #window({ info, saved }: Found): Promise<StoredMessage[]> {
    const path = await this.#session(info.id).getLatestMessages(Number.POSITIVE_INFINITY);
    const start = path.findIndex(({ id }) => id === saved.firstMessageId);
    return path.slice(Math.max(0, start));
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

interface Found {
  readonly info: SessionInfo;
  readonly saved: Saved;
}

/** `null` for a session of another origin. */
function foundIn(info: SessionInfo): Found | null {
  const saved = savedSchema.safeParse(info.metadata.selectools).data;
  return saved ? { info, saved } : null;
}

/** A save that failed after it had created the session leaves one that is tagged alone. */
function assertOwn(info: SessionInfo): void {
  if (!foundIn(info) && !info.tags.includes(tag))
    throw new InvalidArgumentError(`Session "${info.id}" was not saved by selectools.`);
}

/** A namespace is encoded, so that no two pairs have one key. */
function keyOf(sessionId: string, namespace: string | null = null): string {
  if (sessionId === "" || sessionId.startsWith("~"))
    throw new InvalidArgumentError('A session id is not empty and does not begin with "~".');
  return namespace ? `~${encodeURIComponent(namespace)}:${sessionId}` : sessionId;
}

/** By a person or a model, where the conversation stands. */
function isSaid({ role, place }: SearchHit): boolean {
  return role !== "system" && (place === "active" || place === "under-summary");
}

function resultOf(
  { sessionId, namespace }: Saved,
  hits: readonly SearchHit[],
): SessionSearchResult[] {
  if (hits.length === 0) return [];
  const score = hits.reduce((sum, hit) => sum + hit.score, 0);
  const matchedMessages = hits.map(({ snippet }) => snippet.text);
  return [{ sessionId, namespace, score, matchedMessages }];
}
