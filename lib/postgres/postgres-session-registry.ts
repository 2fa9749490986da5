import { and, asc, desc, eq, ilike, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import {
  type SearchHit,
  type SearchOptions,
  SessionExistsError,
  type SessionInfo,
  SessionNotFoundError,
  type Usage,
} from "../session";
import {
  assertId,
  type DeleteOptions,
  type ExportedSession,
  storableText,
} from "../session/internal";
import type {
  ChangedSession,
  CreateSessionOptions,
  ForkOptions,
  ListSessionsOptions,
  SearchQuery,
  SessionChanges,
  SessionMatch,
  SessionPage,
  SessionRegistry,
} from "../session/ports";
import { withMoreTime } from "./connections/own-connection";
import type { Sql } from "./connections/sql";
import { translated } from "./database-error";
import { timeOfDeletion } from "./deletions";
import { type Database, drizzleOn, preparedOnce } from "./drizzle-on";
import { isLive, movedSource, renewedExpiry } from "./live-session";
import { importingSource } from "./portable/import-rows";
import { exportSession, importSession } from "./portable/one-session";
import { chatSession } from "./schema";
import { searchMessages, searchSessions } from "./search/search-messages";
import { cursorAt, isAfter, isPinned } from "./session-cursor";
import { storableCost, storableCount, storableJson } from "./storable";

const maxPage = 500;
/** Keeps each statement of a purge below statement_timeout. */
const removedAtOnce = 50;
/** Columns of `chatSession` that make a `SessionInfo`. */
export const sessionInfo = {
  id: chatSession.sessionId,
  name: chatSession.title,
  parentSessionId: chatSession.parentSessionId,
  parent_session_id: chatSession.parentSessionId,
  forkedAtMessageId: chatSession.forkedAtMessageId,
  model: chatSession.model,
  source: chatSession.source,
  tags: chatSession.tags,
  metadata: chatSession.metadata,
  messageCount: chatSession.messageCount,
  inputTokens: chatSession.inputTokens,
  outputTokens: chatSession.outputTokens,
  cost: chatSession.cost,
  pinnedAt: chatSession.pinnedAt,
  archivedAt: chatSession.archivedAt,
  expiresAfterMs: chatSession.expiresAfterMs,
  expiresAt: chatSession.expiresAt,
  createdAt: chatSession.createdAt,
  updatedAt: chatSession.updatedAt,
};
const canBeRestored = sql`coalesce(${chatSession.source}, '') not in (${importingSource}, ${movedSource})`;

const { placeholder } = sql;

const selectSession = preparedOnce((db) =>
  db
    .select(sessionInfo)
    .from(chatSession)
    .where(
      and(
        eq(chatSession.ownerId, placeholder("owner")),
        eq(chatSession.sessionId, placeholder("session")),
        isLive,
      ),
    )
    .prepare("select_session"),
);

const forkSession = preparedOnce((db) => {
  const changed = sql<boolean>`changed`.as("changed");
  const forked = db.$with("forked", { ...sessionInfo, changed }).as(sql`
    select *, created_at = now() as changed from chat_fork(
      ${placeholder("owner")}, ${placeholder("source")}, ${placeholder("message")}, ${placeholder("fork")},
      ${placeholder("title")}, ${placeholder("withSideBranches")}
    )`);
  return db.with(forked).select().from(forked).prepare("fork_session");
});

export class PostgresSessionRegistry implements SessionRegistry {
  readonly #sql: Sql;
  readonly #db: Database;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#db = drizzleOn(sql);
    this.#owner = ownerId;
  }

  async create(name: string, options: CreateSessionOptions = {}): Promise<ChangedSession> {
    const sessionId = options.id ?? crypto.randomUUID();
    assertId(sessionId, "session");
    const [made] = await this.#db
      .insert(chatSession)
      .values({
        ownerId: this.#owner,
        sessionId,
        title: storableText(name),
        parentSessionId: options.parentSessionId,
        model: options.model && storableText(options.model),
        source: options.source && storableText(options.source),
        tags: options.tags?.map(storableText) ?? [],
        metadata: options.metadata,
        expiresAfterMs: options.expiresAfterMs,
        ...(options.expiresAfterMs !== undefined && {
          expiresAt: expiryIn(options.expiresAfterMs),
        }),
      })
      .onConflictDoNothing()
      .returning(sessionInfo);
    const session = made ?? (await this.get(sessionId));
    if (!session) {
      await this.#assertOpen(sessionId);
      throw new SessionExistsError(sessionId);
    }
    return { ...session, changed: made !== undefined };
  }

  async get(sessionId: string): Promise<SessionInfo | null> {
    const [session] = await selectSession(this.#db, { owner: this.#owner, session: sessionId });
    return session ?? null;
  }

  async list({
    limit = 100,
    cursor,
    archived = false,
    tag,
    parentSessionId,
    program,
  }: ListSessionsOptions = {}): Promise<SessionPage> {
    const size = Math.max(1, Math.min(maxPage, limit));
    const rows = await this.#db
      .select({
        ...sessionInfo,
        updatedMicroseconds: sql<string>`(extract(epoch from ${chatSession.updatedAt}) * 1000000)::bigint::text`,
      })
      .from(chatSession)
      .where(
        and(
          this.#isThere(),
          archived ? isNotNull(chatSession.archivedAt) : isNull(chatSession.archivedAt),
          tag === undefined ? undefined : sql`${storableText(tag)} = any (${chatSession.tags})`,
          parentSessionId === undefined
            ? undefined
            : eq(chatSession.parentSessionId, parentSessionId),
          program === undefined ? undefined : isListedUnder(program),
          cursor === undefined ? undefined : isAfter(cursor),
        ),
      )
      // The day is in the order for the index alone.
      .orderBy(
        desc(isPinned),
        desc(chatSession.updatedDay),
        desc(chatSession.updatedAt),
        desc(chatSession.sessionId),
      )
      .limit(size + 1);
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return {
      sessions: page.map(({ updatedMicroseconds: _, ...session }) => session),
      nextCursor: rows.length > size && last ? cursorAt(last) : null,
    };
  }

  async update(sessionId: string, changes: SessionChanges): Promise<SessionInfo> {
    const { name, model, tags, metadata, pinned, archived, expiresAfterMs } = changes;
    const at = (
      column: typeof chatSession.pinnedAt | typeof chatSession.archivedAt,
      set: boolean,
    ) => (set ? sql`least(${column}, now())` : null);
    const [session] = await this.#db
      .update(chatSession)
      .set({
        expiresAt: expiresAfterMs === undefined ? renewedExpiry : expiryIn(expiresAfterMs),
        ...(expiresAfterMs !== undefined && { expiresAfterMs }),
        ...(name !== undefined && { title: storableText(name) }),
        ...(model !== undefined && { model: model && storableText(model) }),
        ...(tags !== undefined && { tags: tags.map(storableText) }),
        ...(metadata !== undefined && {
          metadata: sql`${chatSession.metadata} || ${storableJson(metadata)}::text::jsonb`,
        }),
        ...(pinned !== undefined && { pinnedAt: at(chatSession.pinnedAt, pinned) }),
        ...(archived !== undefined && { archivedAt: at(chatSession.archivedAt, archived) }),
      })
      .where(this.#is(sessionId))
      .returning(sessionInfo);
    return session ?? this.#refuse(sessionId);
  }

  async delete(
    sessionId: string,
    { permanently = false, deletionId = crypto.randomUUID() }: DeleteOptions = {},
  ): Promise<boolean> {
    if (permanently) return this.#remove(sessionId);
    assertId(deletionId, "deletion");
    const [row] = await translated(this.#sql<{ changed: boolean | null }[]>`
      select chat_delete_session(${this.#owner}, ${sessionId}, ${deletionId}) as changed`);
    return row?.changed ?? false;
  }

  async purge(olderThanMs: number): Promise<string[]> {
    const latest = this.#sql`now() - ${olderThanMs}::float8 * interval '1 millisecond'`;
    const purged: string[] = [];
    while (true) {
      const rows = await this.#sql<{ id: string }[]>`
        select id from chat_remove_old(${this.#owner}, ${latest}, ${removedAtOnce}) removed (id)`;
      purged.push(...rows.map(({ id }) => id));
      if (rows.length < removedAtOnce) return purged;
    }
  }

  async #assertOpen(sessionId: string): Promise<void> {
    await translated(this.#sql`select chat_open(${this.#owner}, ${sessionId})`);
  }

  async #refuse(sessionId: string): Promise<never> {
    await this.#assertOpen(sessionId);
    throw new SessionNotFoundError(sessionId);
  }

  async #remove(sessionId: string): Promise<boolean> {
    const [row] = await this.#sql<[{ removed: boolean }]>`
      select chat_remove(${this.#owner}, ${sessionId}) as removed`;
    return row.removed;
  }

  async restore(sessionId: string, deletionId?: string): Promise<ChangedSession> {
    const restored = await this.#db
      .update(chatSession)
      .set({ deletedAt: null, expiresAt: renewedExpiry })
      .where(
        and(
          eq(chatSession.ownerId, this.#owner),
          eq(chatSession.sessionId, sessionId),
          deletionId === undefined
            ? isNotNull(chatSession.deletedAt)
            : eq(chatSession.deletedAt, timeOfDeletion(this.#owner, deletionId)),
          canBeRestored,
        ),
      )
      .returning({ id: chatSession.sessionId });
    const session = await this.get(sessionId);
    if (!session) throw new SessionNotFoundError(sessionId);
    return { ...session, changed: restored.length > 0 };
  }

  async expire(idleMs: number): Promise<string[]> {
    const rows = await this.#sql<{ id: string }[]>`
      with expired as (
        update chat_session session
        set deleted_at = now()
        where session.owner_id = ${this.#owner} and session.deleted_at is null
          and (session.expires_at is null or session.expires_at > now()) and session.pinned_at is null
          and session.updated_at < now() - ${idleMs}::float8 * interval '1 millisecond'
          and not exists (
            select from chat_run run
            where run.owner_id = session.owner_id and run.session_id = session.session_id and run.status = 'running'
          )
          and not exists (
            select from chat_deletion deletion
            where deletion.owner_id = session.owner_id and deletion.session_id = session.session_id
              and deletion.kind = 'session' and deletion.created_at >= session.updated_at
          )
        returning session.session_id
      ),
      noted as (
        insert into chat_deletion (owner_id, deletion_id, kind, session_id)
        select ${this.#owner}, gen_random_uuid()::text, 'session', expired.session_id
        from expired
      )
      select session_id as id from expired`;
    return rows.map(({ id }) => id);
  }

  async fork(
    sessionId: string,
    atMessageId: string,
    name: string,
    options: ForkOptions = {},
  ): Promise<ChangedSession> {
    const fork = options.id ?? crypto.randomUUID();
    assertId(fork, "session");
    const [session] = await translated(
      // A fork with side branches borrows each of them.
      withMoreTime(this.#sql, (pool) =>
        forkSession(drizzleOn(pool), {
          owner: this.#owner,
          source: sessionId,
          message: atMessageId,
          fork,
          title: storableText(name),
          withSideBranches: options.withSideBranches ?? false,
        }),
      ),
    );
    if (!session) throw new SessionExistsError(fork);
    return session;
  }

  async forks(sessionId: string): Promise<SessionInfo[]> {
    if (!(await this.get(sessionId))) await this.#refuse(sessionId);
    return this.#db
      .select(sessionInfo)
      .from(chatSession)
      .where(
        and(
          this.#isThere(),
          eq(chatSession.parentSessionId, sessionId),
          isNotNull(chatSession.forkedAtMessageId),
        ),
      )
      .orderBy(asc(chatSession.createdAt), asc(chatSession.sessionId))
      .limit(200);
  }

  async export(sessionId: string): Promise<ExportedSession> {
    await this.#assertOpen(sessionId);
    return exportSession(this.#sql, { ownerId: this.#owner, sessionId });
  }

  async import(exported: ExportedSession): Promise<ChangedSession> {
    await importSession(this.#sql, this.#owner, exported);
    const session = await this.get(exported.session.id);
    if (!session) throw new SessionNotFoundError(exported.session.id);
    return { ...session, changed: true };
  }

  async addUsage(sessionId: string, usage: Usage): Promise<void> {
    const added = await this.#db
      .update(chatSession)
      .set({
        inputTokens: sum(chatSession.inputTokens, storableCount(usage.inputTokens)),
        outputTokens: sum(chatSession.outputTokens, storableCount(usage.outputTokens)),
        cost: sql`${chatSession.cost} + ${storableCost(usage.cost) ?? 0}`,
        updatedAt: sql`now()`,
        expiresAt: renewedExpiry,
      })
      .where(this.#is(sessionId))
      .returning({ id: chatSession.sessionId });
    if (added.length === 0) await this.#refuse(sessionId);
  }

  search(query: string | SearchQuery, options: SearchOptions = {}): Promise<SearchHit[]> {
    return searchMessages(
      this.#sql,
      { owner: this.#owner, session: null },
      { input: query, options },
    );
  }

  searchSessions(
    query: string | SearchQuery,
    options: SearchOptions = {},
  ): Promise<SessionMatch[]> {
    return searchSessions(this.#sql, this.#owner, { input: query, options });
  }

  searchTitles(text: string, limit = 10): Promise<SessionInfo[]> {
    const pattern = `%${storableText(text).replace(/[\\%_]/g, "\\$&")}%`;
    return this.#db
      .select(sessionInfo)
      .from(chatSession)
      .where(and(this.#isThere(), isNoLog, ilike(chatSession.title, pattern)))
      .orderBy(desc(chatSession.updatedAt), desc(chatSession.sessionId))
      .limit(limit);
  }

  tags(): Promise<{ tag: string; count: number }[]> {
    return this.#sql<{ tag: string; count: number }[]>`
      select tag, count(*)::integer as count
      from chat_session session
      cross join lateral unnest(session.tags) tag
      where session.owner_id = ${this.#owner} and session.deleted_at is null
        and (session.expires_at is null or session.expires_at > now())
      group by tag
      order by count desc, tag
      limit 500`;
  }

  #isThere(): SQL | undefined {
    return and(eq(chatSession.ownerId, this.#owner), isLive);
  }

  #is(sessionId: string): SQL | undefined {
    return and(this.#isThere(), eq(chatSession.sessionId, sessionId));
  }
}

const keyOfProgram = sql`(${chatSession.metadata} -> 'program' ->> 'keyId')`;

const isNoLog = sql`(
  (${chatSession.metadata} -> 'program' ->> 'log') is distinct from 'true'
  or ${chatSession.pinnedAt} is not null or ${chatSession.parentSessionId} is not null
)`;

/** In the words of the partial indexes `chat_session_own_list` and `chat_session_program_list`. */
function isListedUnder(program: string | null): SQL {
  return program === null
    ? sql`(${keyOfProgram} is null or ${chatSession.pinnedAt} is not null or ${chatSession.parentSessionId} is not null)`
    : sql`${keyOfProgram} = ${storableText(program)}`;
}

function expiryIn(expiresAfterMs: number | null): SQL {
  return sql`now() + ${expiresAfterMs}::float8 * interval '1 millisecond'`;
}

/** Stays within JavaScript's safe numbers. */
function sum(column: typeof chatSession.inputTokens, added: number): SQL {
  return sql`least(${column} + ${added}::bigint, ${Number.MAX_SAFE_INTEGER}::bigint)`;
}
