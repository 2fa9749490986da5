import { z } from "zod";
import {
  InvalidArgumentError,
  type SearchHit,
  Session,
  type SessionInfo,
  SessionManager,
  type SessionStore,
  type StoredMessage,
} from "../../session";
import { isSessionError, type ListedMessage } from "../../session/internal";

const tag = "selectools";
const savedSchema = z.object({
  metadata: z.record(z.string(), z.unknown()),
  summary: z.string().nullish(),
  /** Messages that have slid out of the last saved list's window, newest last. */
  olderIds: z.array(z.string()),
  messageCount: z.number(),
});
type Saved = z.infer<typeof savedSchema>;

export interface SavedSession {
  readonly info: SessionInfo;
  readonly saved: Saved;
}

export interface SearchedSession {
  readonly sessionId: string;
  readonly hits: readonly SearchHit[];
}

const searchedSessions = 100;
/** A person may delete some of the ids before a window. */
const maxOlderIds = 100;

export class NamespaceSessions {
  readonly #store: SessionStore;
  readonly #sessions: SessionManager;
  readonly #expiresAfterMs: number | undefined;

  constructor(store: SessionStore, expiresAfterMs: number | undefined) {
    this.#store = store;
    this.#sessions = SessionManager.create(store);
    this.#expiresAfterMs = expiresAfterMs;
  }

  async find(id: string): Promise<SavedSession | null> {
    const info = await this.#sessions.get(id);
    return info && savedIn(info);
  }

  async list(): Promise<SavedSession[]> {
    const open = await this.#sessions.list({ tag });
    const archived = await this.#sessions.list({ tag, archived: true });
    return [...open, ...archived].flatMap((info) => savedIn(info) ?? []);
  }

  async search(query: string): Promise<SearchedSession[]> {
    const options = { tag, parts: ["text"], limit: searchedSessions } as const;
    const matches = await this.#sessions.searchSessions(query, options);
    const results = await Promise.all(
      matches.map(async ({ sessionId, hits }) => {
        const said = hits.filter(isSaid);
        return said.length > 0 && (await this.find(sessionId)) ? [{ sessionId, hits: said }] : [];
      }),
    );
    return results.flat();
  }

  async window({ info, saved }: SavedSession): Promise<StoredMessage[]> {
    const path = await this.#session(info.id).getLatestMessages(Number.POSITIVE_INFINITY);
    const olderIds = new Set(saved.olderIds);
    return path.slice(path.findLastIndex(({ id }) => olderIds.has(id)) + 1);
  }

  async put(
    id: string,
    { metadata, summary }: Pick<Saved, "metadata" | "summary">,
    listFor: (session: Session) => Promise<readonly ListedMessage[]>,
  ): Promise<void> {
    const info = await this.#sessions.get(id);
    if (info) assertOwn(info);
    else await this.#create(id);
    const session = this.#session(id);
    const { messageIds } = await session.follow(await listFor(session));
    const pathIds = (await session.tree.getHistoryRowStats()).map((stat) => stat.id);
    const start = Math.max(0, pathIds.indexOf(messageIds[0] ?? ""));
    const olderIds = pathIds.slice(Math.max(0, start - maxOlderIds), start);
    const messageCount = messageIds.length;
    await this.#describe(id, { metadata, summary, olderIds, messageCount });
  }

  /** False for a source without messages, and when another session has the id. */
  async fork({ info, saved }: SavedSession, id: string): Promise<boolean> {
    const leaf = await this.#session(info.id).getLatestLeaf();
    if (!leaf || (await this.#sessions.get(id))) return false;
    try {
      await this.#sessions.fork(info.id, leaf.id, id, { id });
    } catch (error) {
      if (isSessionError(error) && error.code === "session-exists") return false;
      throw error;
    }
    await this.#describe(id, saved);
    return true;
  }

  /** @returns whether there was one. */
  async delete(id: string): Promise<boolean> {
    if (await this.find(id)) return this.#sessions.delete(id, { permanently: true });
    const restored = await this.#restore(id);
    if (!restored) return false;
    const isOwn = savedIn(restored) !== null;
    await this.#sessions.delete(id, { permanently: isOwn });
    return isOwn;
  }

  /** A deleted session can be read only once it is restored. */
  async #restore(id: string): Promise<SessionInfo | null> {
    if (await this.#sessions.get(id)) return null;
    try {
      return await this.#sessions.restore(id);
    } catch (error) {
      const codes: readonly string[] = ["session-not-found", "session-expired"];
      if (isSessionError(error) && codes.includes(error.code)) return null;
      throw error;
    }
  }

  #session(id: string): Session {
    return new Session(this.#store, { sessionId: id, createsSession: false });
  }

  async #create(id: string): Promise<void> {
    const expiresAfterMs = this.#expiresAfterMs;
    const create = () =>
      this.#sessions.create(id, { id, tags: [tag], source: tag, expiresAfterMs });
    try {
      await create();
    } catch (error) {
      if (!(isSessionError(error) && error.code === "session-expired")) throw error;
      await this.#sessions.delete(id, { permanently: true });
      await create();
    }
  }

  async #describe(id: string, saved: Saved): Promise<void> {
    const expiresAfterMs = this.#expiresAfterMs;
    await this.#sessions.update(id, { metadata: { selectools: saved }, expiresAfterMs });
  }
}

function savedIn(info: SessionInfo): SavedSession | null {
  const saved = savedSchema.safeParse(info.metadata.selectools).data;
  return saved ? { info, saved } : null;
}

/** A save that failed after it had created the session leaves one that is tagged alone. */
function assertOwn(info: SessionInfo): void {
  if (!savedIn(info) && !info.tags.includes(tag))
    throw new InvalidArgumentError(`Session "${info.id}" was not saved by selectools.`);
}

function isSaid({ role, place }: SearchHit): boolean {
  return role !== "system" && (place === "active" || place === "under-summary");
}
