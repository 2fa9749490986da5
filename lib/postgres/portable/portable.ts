import { and, asc, eq, getTableColumns, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { chatBlock, chatRun, chatUsage } from "../schema";
import type { TreeBranchRow } from "../tree/path-rows";

interface Key {
  owner: string;
  session: string;
}

export interface PortableSessionRow {
  session_id: string;
  title: string;
  model: string | null;
  source: string | null;
  tags: string[];
  metadata: unknown;
  parent_session_id: string | null;
  forked_at_message_id: string | null;
  input_tokens: number;
  output_tokens: number;
  cost: number;
  frozen_prompt: string | null;
  frozen_versions: unknown;
  pinned_at: Date | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
  active_branch: number | null;
  active_pos: number | null;
  skills_before: unknown;
}

interface Keys {
  owner: string;
  sessions: readonly string[];
}

export function portableSessions(
  sql: Sql,
  { owner, sessions }: Keys,
): Promise<PortableSessionRow[]> {
  return sql<PortableSessionRow[]>`
    select
      session.session_id, session.title, session.model, session.source, session.tags, session.metadata,
      session.parent_session_id, session.forked_at_message_id, session.input_tokens, session.output_tokens, session.cost,
      session.frozen_prompt, session.frozen_versions, session.pinned_at, session.archived_at, session.created_at, session.updated_at,
      session.active_branch, session.active_pos, session.skills_before
    from chat_session session
    where session.owner_id = ${owner} and session.session_id = any (${sessions as string[]})
      and session.deleted_at is null and (session.expires_at is null or session.expires_at > now())`;
}

/** Lists all sessions on a connection of its own, in creation order: sources before forks. */
export async function openSessionList(sql: Sql, owner: string): Promise<void> {
  // The server keeps it, so that no transaction is open while it is read.
  await sql`
    declare portable_sessions no scroll cursor with hold for
    select session.session_id, session.message_count
    from chat_session session
    where session.owner_id = ${owner} and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())
    order by session.created_at, session.session_id`;
}

export function nextSessions(sql: Sql): Promise<{ session_id: string; message_count: number }[]> {
  return sql`fetch 1000 from portable_sessions`;
}

export interface PortableBranchRow extends TreeBranchRow {
  session: string;
  head: number;
  touched: number;
  own: boolean;
}

function borrowedBranches(sql: Sql, { owner, sessions }: Keys) {
  return sql`
    select fork.session_id as session, borrowed.branch_id, max(borrowed.upto) as upto
    from (
      select distinct branch.session_id
      from chat_branch branch
      where branch.owner_id = ${owner} and branch.session_id = any (${sessions as string[]})
        and branch.seen_as_of is not null
    ) fork
    cross join lateral chat_borrowed(${owner}, fork.session_id) borrowed
    group by fork.session_id, borrowed.branch_id`;
}

export function portableBranches(sql: Sql, keys: Keys): Promise<PortableBranchRow[]> {
  const { owner, sessions } = keys;
  return sql<PortableBranchRow[]>`
    select branch.session_id as session, branch.branch_id, branch.parent_branch, branch.base, branch.head, branch.touched,
      true as own
    from chat_branch branch
    where branch.owner_id = ${owner} and branch.session_id = any (${sessions as string[]})
    union all
    select lent.session, branch.branch_id, branch.parent_branch, branch.base, lent.upto, 0, false
    from (${borrowedBranches(sql, keys)}) lent
    join chat_branch branch on branch.owner_id = ${owner} and branch.branch_id = lent.branch_id
    order by session, branch_id`;
}

export interface PortableMessageRow {
  session: string;
  branch_id: number;
  pos: number;
  id: string;
  role: string;
  created_at: Date;
  pinned: boolean;
  label: string | null;
  ordinal: number;
  bytes: number;
}

export function portableMessages(sql: Sql, keys: Keys): Promise<PortableMessageRow[]> {
  const { owner, sessions } = keys;
  return sql<PortableMessageRow[]>`
    with seen as materialized (
      select branch.session_id as session, branch.branch_id, branch.head as upto
      from chat_branch branch
      where branch.owner_id = ${owner} and branch.session_id = any (${sessions as string[]})
      union all
      ${borrowedBranches(sql, keys)}
    )
    select seen.session, message.branch_id, message.pos, message.id, message.role, message.created_at, message.pinned,
      message.label, message.ordinal, octet_length(message.content) as bytes
    from seen
    cross join lateral (
      select candidate.*
      from chat_message candidate
      where candidate.owner_id = ${owner} and candidate.branch_id = seen.branch_id
        and candidate.pos <= seen.upto and candidate.deletion_id is null
      offset 0
    ) message
    order by seen.session, message.branch_id, message.pos`;
}

interface MessagePlace {
  branch_id: number;
  pos: number;
}

/** The order of `places`, each that of a message. */
export async function contentsAt(
  sql: Sql,
  { owner, places }: { owner: string; places: readonly MessagePlace[] },
): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`
    select message.content
    from unnest(
      ${places.map((place) => place.branch_id)}::bigint[], ${places.map((place) => place.pos)}::integer[]
    ) with ordinality place (branch_id, pos, n)
    join chat_message message
      on message.owner_id = ${owner} and message.branch_id = place.branch_id and message.pos = place.pos
    order by place.n`;
  return rows.map(({ content }) => content);
}

export interface PortableSkillRow {
  session: string;
  message_id: string;
  label: string;
  key: string;
  action: "load" | "unload";
}

/** A person's events alone: a message's own are in the message. */
export function portableSkills(sql: Sql, { owner, sessions }: Keys): Promise<PortableSkillRow[]> {
  return sql<PortableSkillRow[]>`
    with branch as materialized (
      select branch.session_id, branch.branch_id, branch.head, branch.seen_as_of
      from chat_branch branch
      where branch.owner_id = ${owner} and branch.session_id = any (${sessions as string[]})
    ),
    event as (
      select branch.session_id as session, own.event_id, own.branch_id, own.pos, own.label, own.key, own.action
      from branch
      join chat_skill_event own
        on own.owner_id = ${owner} and own.branch_id = branch.branch_id and own.noted
      union
      select branch.session_id, seen.event_id, seen.branch_id, seen.pos, seen.label, seen.key, seen.action
      from branch
      cross join lateral chat_seen_skill_events(${owner}, branch.branch_id, branch.head) seen
      where branch.seen_as_of is not null and seen.session_id <> branch.session_id and seen.noted
    )
    select event.session, message.id as message_id, event.label, event.key, event.action
    from event
    join chat_message message
      on message.owner_id = ${owner} and message.branch_id = event.branch_id and message.pos = event.pos
      and message.deletion_id is null
    order by event.session, event.event_id`;
}

type EndedStatus = Exclude<typeof chatRun.$inferSelect.status, "running" | "paused">;

export interface PortableRunPlace {
  session: string;
  run: string;
  bytes: number;
}

export function portableRunPlaces(
  sql: Sql,
  { owner, sessions }: Keys,
): Promise<PortableRunPlace[]> {
  return sql<PortableRunPlace[]>`
    select run.session_id as session, run.run_id as run, coalesce(pg_column_size(run.receipt), 0) as bytes
    from chat_run run
    where run.owner_id = ${owner} and run.session_id = any (${sessions as string[]})
      and run.kind = 'answer' and run.status <> 'running'
    order by run.session_id, run.run_id collate "C"`;
}

export function portableRuns(
  pool: Sql,
  { owner, runs }: { owner: string; runs: readonly string[] },
) {
  return drizzleOn(pool)
    .select({
      runId: chatRun.runId,
      messageId: chatRun.messageId,
      parentId: chatRun.parentId,
      model: chatRun.model,
      // Nobody can decide about its calls elsewhere.
      status: sql<EndedStatus>`case when ${chatRun.status} = 'paused' then 'stopped' else ${chatRun.status} end`,
      startedAt: chatRun.startedAt,
      finishedAt: chatRun.finishedAt,
      receipt: chatRun.receipt,
    })
    .from(chatRun)
    .where(and(eq(chatRun.ownerId, owner), inArray(chatRun.runId, [...runs])));
}

export type PortableBlockRow = Pick<
  typeof chatBlock.$inferSelect,
  "blockId" | "label" | "description" | "kind" | "scope" | "writers" | "maxTokens" | "origin"
> & { session: string };

/** The session `""` means blocks shared by all sessions. Each session's blocks come in the order they were made. */
export function portableBlocks(pool: Sql, { owner, sessions }: Keys): Promise<PortableBlockRow[]> {
  return drizzleOn(pool)
    .select({ ...getTableColumns(chatBlock), session: chatBlock.sessionId })
    .from(chatBlock)
    .where(
      and(
        eq(chatBlock.ownerId, owner),
        inArray(chatBlock.sessionId, [...sessions]),
        isNull(chatBlock.deletedAt),
      ),
    )
    .orderBy(chatBlock.moment, chatBlock.blockId);
}

export interface PortableDocumentRow {
  session: string;
  block_id: string;
  label: string;
  key: string;
  title: string;
  description: string | null;
  version: number;
}

/** The session `""` means documents of all sessions. Includes deleted ones. */
export function portableDocuments(
  sql: Sql,
  { owner, sessions }: Keys,
): Promise<PortableDocumentRow[]> {
  return sql<PortableDocumentRow[]>`
    select document.session_id as session, document.block_id, block.label, document.key, document.title, document.description, document.version
    from chat_document document
    join chat_block block
      on block.owner_id = document.owner_id and block.block_id = document.block_id and block.deleted_at is null
      and block.session_id in ('', document.session_id)
    where document.owner_id = ${owner} and document.session_id = any (${sessions as string[]})
    order by document.session_id, block.label, document.block_id, document.key`;
}

export interface PortableVersionRow {
  version: number;
  content: string | null;
  author: "person" | "model" | "system" | "program";
  program: string | null;
  written_in: string | null;
  message_id: string | null;
  created_at: Date;
}

export function portableVersions(
  sql: Sql,
  {
    owner,
    session,
    block,
    key,
    after,
    limit,
  }: Key & { block: string; key: string; after: number; limit: number },
): Promise<PortableVersionRow[]> {
  return sql<PortableVersionRow[]>`
    select version, content, author, program, written_in, message_id, created_at
    from chat_document_version
    where owner_id = ${owner} and session_id = ${session} and block_id = ${block} and key = ${key} and version > ${after}
    order by version
    limit ${limit}`;
}

/** Prefixes the ids of calls that an import has brought; an export leaves it out. */
export const importedUsage = "imported ";

export function exportedUsageId(id: string): string {
  return id.startsWith(importedUsage) ? id.slice(importedUsage.length) : id;
}

export function portableUsage(
  pool: Sql,
  { owner, after, limit }: { owner: string; after: string; limit: number },
) {
  return drizzleOn(pool)
    .select({
      id: chatUsage.usageId,
      kind: chatUsage.kind,
      sessionId: chatUsage.sessionId,
      model: chatUsage.model,
      inputTokens: chatUsage.inputTokens,
      cachedTokens: chatUsage.cachedTokens,
      outputTokens: chatUsage.outputTokens,
      cost: chatUsage.cost,
      reported: chatUsage.reported,
      createdAt: chatUsage.createdAt,
    })
    .from(chatUsage)
    .where(
      and(
        eq(chatUsage.ownerId, owner),
        gt(chatUsage.usageId, after),
        isNull(chatUsage.reservedUntil),
      ),
    )
    .orderBy(asc(chatUsage.usageId))
    .limit(limit);
}
