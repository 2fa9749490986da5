import { type SQL, sql } from "drizzle-orm";
import type { Deleted, DeletionStore } from "../session/internal";
import { withMoreTime } from "./connections/own-connection";
import type { Fragment, Sql } from "./connections/sql";
import { postgresFailure } from "./database-error";

/** Deletions of one owner that can still be restored. */
export class PostgresDeletions implements DeletionStore {
  readonly #sql: Sql;
  readonly #owner: string;

  constructor(sql: Sql, ownerId: string) {
    this.#sql = sql;
    this.#owner = ownerId;
  }

  list({ limit, after }: { limit: number; after?: string | undefined }): Promise<Deleted[]> {
    const before = this.#sql`(deletion.created_at, deletion.deletion_id) < (
      select last.created_at, last.deletion_id from chat_deletion last
      where last.owner_id = ${this.#owner} and last.deletion_id = ${after ?? null}
    )`;
    const isReachable = this.#sql`case deletion.kind
      when 'session' then true
      when 'entry' then session.deleted_at is null and block.block_id is not null and block.deleted_at is null
      else session.deleted_at is null
    end`;
    const condition = after === undefined ? isReachable : this.#sql`${isReachable} and ${before}`;
    return this.#read(condition, limit);
  }

  async get(deletionId: string): Promise<Deleted | null> {
    const asked = this.#sql`deletion.deletion_id = (
      select coalesce(asked.same_as, asked.deletion_id) from chat_deletion asked
      where asked.owner_id = ${this.#owner} and asked.deletion_id = ${deletionId}
    )`;
    const [deleted] = await this.#read(asked, 1);
    return deleted ?? null;
  }

  async madeBy(deletionId: string): Promise<{ id: string; kind: Deleted["kind"] } | null> {
    const [made] = await this.#sql<{ id: string; kind: Deleted["kind"] }[]>`
      select coalesce(same_as, deletion_id) as id, kind
      from chat_deletion
      where owner_id = ${this.#owner} and deletion_id = ${deletionId}`;
    return made ?? null;
  }

  async remove(deletionId: string): Promise<boolean | null> {
    const [known] = await this.#sql<{ rows: number }[]>`
      select cardinality(removed) as rows from chat_deletion
      where owner_id = ${this.#owner} and deletion_id = ${deletionId}`;
    const [row] = await withMoreTime(
      this.#sql,
      (sql) => sql<{ removed: boolean | null }[]>`
        select chat_forget(${this.#owner}, ${deletionId}) as removed`,
      { rows: known?.rows },
    );
    return row?.removed ?? null;
  }

  #read(condition: Fragment, limit: number): Promise<Deleted[]> {
    return this.#sql<Deleted[]>`
      select
        deletion.deletion_id as id, deletion.kind, deletion.created_at as "deletedAt",
        nullif(deletion.session_id, '') as "sessionId", session.title as "sessionTitle",
        nullif(deletion.block_id, '') as "blockId", block.label, block.kind as "blockKind", deletion.named[1] as key,
        coalesce(message.preview, document.title, session.title, '') as title,
        case deletion.kind when 'session' then session.message_count else greatest(1, cardinality(deletion.removed)) end
          as count
      from chat_deletion deletion
      left join chat_session session
        on session.owner_id = deletion.owner_id and session.session_id = deletion.session_id
      left join lateral (
        select *
        from chat_block near
        where near.owner_id = deletion.owner_id and near.block_id = deletion.block_id
          and near.session_id in (deletion.session_id, case deletion.kind when 'entry' then '' else deletion.session_id end)
        order by near.session_id desc
        limit 1
      ) block on true
      left join chat_document document
        on deletion.kind = 'entry' and document.owner_id = deletion.owner_id
          and document.block_id = deletion.block_id and document.session_id = deletion.session_id
          and document.key = deletion.removed[1] and document.version = deletion.versions[1]
      left join lateral (
        select message.preview
        from unnest(deletion.removed) with ordinality removed (id, n)
        join chat_message message
          on message.owner_id = deletion.owner_id and message.session_id = deletion.session_id
            and message.id = removed.id and message.deletion_id = deletion.deletion_id
        where deletion.kind = 'messages'
        order by removed.n
        limit 1
      ) message on true
      where deletion.owner_id = ${this.#owner} and deletion.same_as is null and ${condition}
        and case deletion.kind
          when 'session' then session.deleted_at = deletion.created_at
          when 'messages' then message.preview is not null
          when 'block' then block.deleted_at = deletion.created_at
          else document.key is not null
        end
      order by deletion.created_at desc, deletion.deletion_id desc
      limit ${limit}`;
  }
}

interface RemovalBatch {
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps that of a session that was restored and not used since, which must not expire.
 *
 * @throws the first failure, after the others are removed.
 */
export async function removeOldDeletions(
  pool: Sql,
  { olderThanMs, ...removal }: RemovalBatch & { olderThanMs: number },
): Promise<void> {
  const find = (skipped: number) => pool<{ owner: string; id: string }[]>`
    select deletion.owner_id as owner, deletion.deletion_id as id
    from chat_deletion deletion
    where deletion.created_at <= now() - ${olderThanMs}::float8 * interval '1 millisecond'
      and not exists (
        select from chat_session session
        where session.owner_id = deletion.owner_id and session.session_id = deletion.session_id
          and deletion.kind = 'session' and session.deleted_at is null and session.updated_at <= deletion.created_at
      )
    order by deletion.created_at, deletion.owner_id, deletion.deletion_id
    limit ${removal.most} offset ${skipped}`;
  await removeEach(removal, find, ({ owner, id }) =>
    withMoreTime(pool, (sql) => sql`select chat_forget(${owner}, ${id})`),
  );
}

/** `ownerEnd` is how the namespaces' owner ids end. @throws the first failure, after the others are removed. */
export async function removeExpiredSessions(
  pool: Sql,
  { ownerEnd, ...removal }: RemovalBatch & { ownerEnd: string },
): Promise<void> {
  const find = (skipped: number) => pool<{ owner: string; id: string }[]>`
    select session.owner_id as owner, session.session_id as id
    from chat_session session
    where session.expires_at <= now() and right(session.owner_id, length(${ownerEnd})) = ${ownerEnd}
      and session.source is distinct from 'importing'
      and not exists (
        select from chat_run run
        where run.owner_id = session.owner_id and run.session_id = session.session_id and run.status = 'running'
      )
    order by session.expires_at, session.owner_id, session.session_id
    limit ${removal.most} offset ${skipped}`;
  await removeEach(removal, find, ({ owner, id }) =>
    withMoreTime(pool, (sql) => sql`select chat_remove(${owner}, ${id})`),
  );
}

/** One by one, which keeps each statement below statement_timeout. */
async function removeEach<Found>(
  { most, signal }: RemovalBatch,
  find: (skipped: number) => Promise<Found[]>,
  remove: (found: Found) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const found = await find(failures.length);
    for (const each of found) {
      try {
        await remove(each);
      } catch (error) {
        if (postgresFailure(error) === null) throw error;
        failures.push(error);
      }
    }
    isMore = found.length === most;
  }
  if (failures.length > 0) throw failures[0];
}

/** The deletion marked its session or block with the same time. */
export function timeOfDeletion(ownerId: string, deletionId: string): SQL<Date> {
  return sql<Date>`(
    select deletion.created_at from chat_deletion deletion
    where deletion.owner_id = ${ownerId} and deletion.deletion_id = ${deletionId}
  )`;
}
