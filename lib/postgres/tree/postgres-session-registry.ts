import type { Sql } from "postgres";
import { z } from "zod";
import { translated } from "@/lib/postgres/database-error";
import { searchMessages } from "@/lib/postgres/search/search-messages";
import {
  type CreateSessionOptions,
  type ForkOptions,
  InvalidArgumentError,
  type ListSessionsOptions,
  type SearchHit,
  type SearchOptions,
  type SearchQuery,
  type SessionChanges,
  type SessionEventMap,
  type SessionEvents,
  SessionExistsError,
  type SessionInfo,
  SessionNotFoundError,
  type SessionPage,
  type SessionRegistry,
  type Usage,
} from "@/lib/session";
import { storableText } from "./message-content";
import * as queries from "./sessions";

const maxPage = 500;
const cursorSchema = z.object({
  pinned: z.boolean(),
  updated: z.string().regex(/^\d{1,18}$/),
  session: z.string(),
});

/** The sessions of one owner in Postgres. */
export class PostgresSessionRegistry implements SessionRegistry {
  readonly #sql: Sql;
  readonly #owner: string;
  readonly #events: SessionEvents | undefined;

  constructor(sql: Sql, ownerId: string, events?: SessionEvents) {
    this.#sql = sql;
    this.#owner = ownerId;
    this.#events = events;
  }

  async create(name: string, options: CreateSessionOptions = {}): Promise<SessionInfo> {
    const key = this.#key(options.id ?? crypto.randomUUID());
    const made = await queries.insertSession(this.#sql, {
      ...key,
      title: storableText(name),
      parentSessionId: options.parentSessionId ?? null,
      model: options.model ?? null,
      source: options.source ?? null,
      tags: options.tags ?? [],
      metadata: JSON.stringify(options.metadata ?? {}),
    });
    if (made) this.#tell(key.session, "create");
    const row = made ?? (await queries.readSession(this.#sql, key));
    if (!row) throw new SessionExistsError(key.session);
    return infoFromRow(row);
  }

  async get(sessionId: string): Promise<SessionInfo | null> {
    const row = await queries.readSession(this.#sql, this.#key(sessionId));
    return row ? infoFromRow(row) : null;
  }

  async list({
    limit = 100,
    cursor,
    archived = false,
    tag,
    parentSessionId,
  }: ListSessionsOptions = {}): Promise<SessionPage> {
    const size = Math.max(1, Math.min(maxPage, limit));
    const rows = await queries.listSessions(this.#sql, {
      owner: this.#owner,
      archived,
      tag: tag ?? null,
      parent: parentSessionId ?? null,
      after: cursor === undefined ? null : readCursor(cursor),
      limit: size + 1,
    });
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return {
      sessions: page.map(infoFromRow),
      nextCursor: rows.length > size && last ? writeCursor(last) : null,
    };
  }

  async update(sessionId: string, changes: SessionChanges): Promise<SessionInfo> {
    const row = await queries.updateSession(this.#sql, this.#key(sessionId), {
      title: changes.name === undefined ? null : storableText(changes.name),
      model: changes.model,
      tags: changes.tags ?? null,
      metadata: changes.metadata === undefined ? null : JSON.stringify(changes.metadata),
      pinned: changes.pinned ?? null,
      archived: changes.archived ?? null,
    });
    if (!row) throw new SessionNotFoundError(sessionId);
    this.#tell(sessionId, "update");
    return infoFromRow(row);
  }

  async delete(sessionId: string): Promise<void> {
    if (!(await queries.setDeleted(this.#sql, this.#key(sessionId), true)))
      throw new SessionNotFoundError(sessionId);
    this.#tell(sessionId, "delete");
  }

  async restore(sessionId: string): Promise<SessionInfo> {
    if (await queries.setDeleted(this.#sql, this.#key(sessionId), false))
      this.#tell(sessionId, "restore");
    const info = await this.get(sessionId);
    if (!info) throw new SessionNotFoundError(sessionId);
    return info;
  }

  async expire(idleMs: number): Promise<string[]> {
    const expired = await queries.expireSessions(this.#sql, { owner: this.#owner, idleMs });
    for (const id of expired) this.#tell(id, "delete");
    return expired;
  }

  async fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options: ForkOptions = {},
  ): Promise<SessionInfo> {
    const fork = options.id ?? crypto.randomUUID();
    const row = await translated(
      queries.forkSession(this.#sql, this.#key(sessionId), {
        fork,
        atMessageId,
        title: storableText(name),
        withSideBranches: options.withSideBranches ?? false,
      }),
    );
    if (!row) throw new SessionExistsError(fork);
    this.#tell(fork, "fork");
    return infoFromRow(row);
  }

  async forks(sessionId: string): Promise<SessionInfo[]> {
    const rows = await queries.listForks(this.#sql, this.#key(sessionId));
    if (rows.length === 0 && !(await this.get(sessionId)))
      throw new SessionNotFoundError(sessionId);
    return rows.map(infoFromRow);
  }

  async addUsage(sessionId: string, usage: Usage): Promise<void> {
    if (!(await queries.addUsage(this.#sql, this.#key(sessionId), usage)))
      throw new SessionNotFoundError(sessionId);
    this.#events?.emit(sessionId, "usage", usage);
  }

  search(query: string | SearchQuery, options: SearchOptions = {}): Promise<SearchHit[]> {
    return searchMessages(
      this.#sql,
      { owner: this.#owner, session: null },
      { input: query, options },
    );
  }

  /** Sessions whose title holds a text, newest activity first. */
  async searchTitles(text: string, limit = 10): Promise<SessionInfo[]> {
    const rows = await queries.sessionsByTitle(this.#sql, {
      owner: this.#owner,
      text: storableText(text),
      limit,
    });
    return rows.map(infoFromRow);
  }

  /** The tags in use and on how many sessions, most used first. */
  tags(): Promise<{ tag: string; count: number }[]> {
    return queries.countTags(this.#sql, this.#owner);
  }

  #tell(sessionId: string, action: SessionEventMap["session"]["action"]): void {
    this.#events?.emit(sessionId, "session", { action });
  }

  #key(session: string) {
    return { owner: this.#owner, session };
  }
}

function infoFromRow(row: queries.SessionRow): SessionInfo {
  return {
    id: row.session_id,
    name: row.title,
    parentSessionId: row.parent_session_id,
    parent_session_id: row.parent_session_id,
    forkedAtMessageId: row.forked_at_message_id,
    model: row.model,
    source: row.source,
    tags: row.tags,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    messageCount: row.message_count,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
    pinnedAt: row.pinned_at,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function writeCursor(row: queries.SessionRow & { sort_updated: string }): string {
  const cursor = {
    pinned: row.pinned_at !== null,
    updated: row.sort_updated,
    session: row.session_id,
  };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function readCursor(cursor: string): queries.SessionCursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch (cause) {
    throw new InvalidArgumentError("The cursor is not one that an earlier page returned.", {
      cause,
    });
  }
}
