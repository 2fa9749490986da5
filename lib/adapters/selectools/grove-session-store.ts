import { z } from "zod";
import {
  InvalidArgumentError,
  type SearchHit,
  Session,
  type SessionInfo,
  SessionManager,
  SessionNotFoundError,
  type SessionStore,
} from "@/lib/session";
import { reportFailure } from "@/lib/session/internal";
import {
  listedMessages,
  type SelectoolsMessage,
  type SessionData,
  serializedMessages,
} from "./session-data";

/** Called after a session was saved or loaded. */
export interface SessionObserver {
  onSessionLoad?(runId: string, sessionId: string, messageCount: number): unknown;
  onSessionSave?(runId: string, sessionId: string, messageCount: number): unknown;
}

export interface GroveSessionStoreOptions {
  /** A session not written for longer has expired. Omitted: none ever does. */
  ttlSeconds?: number | undefined;
  observers?: readonly SessionObserver[] | undefined;
  /** The clock of expiry. */
  now?: (() => Date) | undefined;
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
  createdAt: z.coerce.date(),
  savedAt: z.coerce.date(),
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
  readonly #ttlMs: number;
  readonly #observers: readonly SessionObserver[];
  readonly #now: () => Date;

  constructor(
    store: SessionStore,
    {
      ttlSeconds = Number.POSITIVE_INFINITY,
      observers = [],
      now = () => new Date(),
    }: GroveSessionStoreOptions = {},
  ) {
    if (!(ttlSeconds > 0)) throw new InvalidArgumentError("Sessions expire after a positive time.");
    this.#store = store;
    this.#sessions = SessionManager.create(store);
    this.#ttlMs = ttlSeconds * 1000;
    this.#observers = observers;
    this.#now = now;
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
    const key = keyOf(sessionId, namespace);
    const list = listedMessages(messages);
    const before = await this.#claimed(key);
    if (!before) {
      await this.#sessions.create(sessionId, { id: key, tags: [tag], source: tag });
    }
    const { messageIds } = await this.#session(key).follow(list);
    const savedAt = this.#now();
    await this.#describe(key, {
      sessionId,
      namespace: namespace ?? null,
      metadata,
      firstMessageId: messageIds[0] ?? null,
      messageCount: messageIds.length,
      createdAt: before?.createdAt ?? savedAt,
      savedAt,
    });
    await this.#notify("onSessionSave", runId, sessionId, messages.length);
  }

  /** `null` for an unknown or expired session. Includes messages appended since by others. */
  async load(
    sessionId: string,
    { namespace, runId }: RunOptions = {},
  ): Promise<SessionData | null> {
    const found = await this.#find(keyOf(sessionId, namespace));
    if (!found) return null;
    const messages = await this.#messages(found);
    await this.#notify("onSessionLoad", runId, sessionId, messages.length);
    return {
      session_id: sessionId,
      messages,
      metadata: found.saved.metadata,
      created_at: found.saved.createdAt.toISOString(),
      updated_at: updatedAt(found).toISOString(),
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
      .flatMap((info) => this.#living(info) ?? [])
      .filter(({ saved }) => namespace === undefined || saved.namespace === namespace)
      .map((found) => ({
        sessionId: found.saved.sessionId,
        namespace: found.saved.namespace,
        messageCount: found.saved.messageCount,
        createdAt: found.saved.createdAt,
        updatedAt: updatedAt(found),
      }));
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
    const leaf = await this.#session(source.info.id).getLatestLeaf();
    if (!leaf || (await this.#claimed(key))) {
      const messages = await this.#messages(source);
      const { metadata } = source.saved;
      return this.save(newId, { messages, metadata }, { namespace });
    }
    await this.#sessions.fork(source.info.id, leaf.id, newId, { id: key });
    const now = this.#now();
    await this.#describe(key, { ...source.saved, sessionId: newId, createdAt: now, savedAt: now });
  }

  /** Deletes expired sessions for good. @returns how many. */
  async deleteExpired(): Promise<number> {
    const infos = await this.#sessions.list({ tag });
    const expired = infos.filter((info) => savedIn(info) && !this.#living(info));
    for (const { id } of expired) await this.#store.sessions.delete(id, { permanently: true });
    return expired.length;
  }

  #session(key: string): Session {
    return new Session(this.#store, { sessionId: key, createsSession: false });
  }

  async #find(key: string): Promise<Found | null> {
    const info = await this.#sessions.get(key);
    return info && this.#living(info);
  }

  #living(info: SessionInfo): Found | null {
    const saved = savedIn(info);
    if (!saved) return null;
    const found = { info, saved };
    return this.#now().getTime() - updatedAt(found).getTime() > this.#ttlMs ? null : found;
  }

  /** The session to save to; `null` when its id is free, also after deleting an expired one. */
  async #claimed(key: string): Promise<Saved | null> {
    const info = await this.#sessions.get(key);
    if (!info) return null;
    const saved = savedIn(info);
    // A save that failed after it had created the session leaves one without a description.
    if (!saved && !info.tags.includes(tag))
      throw new InvalidArgumentError(`Session "${key}" was not saved by selectools.`);
    if (!saved || this.#living(info)) return saved;
    await this.#store.sessions.delete(key, { permanently: true });
    return null;
  }

  async #describe(key: string, saved: Saved): Promise<void> {
    await this.#sessions.update(key, { metadata: { selectools: saved } });
  }

  async #messages({ info, saved }: Found): Promise<SelectoolsMessage[]> {
    const path = await this.#session(info.id).getLatestMessages(Number.POSITIVE_INFINITY);
    const start = path.findIndex(({ id }) => id === saved.firstMessageId);
    return path.slice(Math.max(0, start)).flatMap(serializedMessages);
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

function savedIn({ metadata }: SessionInfo): Saved | null {
  return savedSchema.safeParse(metadata.selectools).data ?? null;
}

/** The last save, or what someone has written since. */
function updatedAt({ info, saved }: Found): Date {
  return info.updatedAt > saved.savedAt ? info.updatedAt : saved.savedAt;
}

/** A namespace is encoded, so that no two pairs have one key. */
function keyOf(sessionId: string, namespace: string | undefined): string {
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
