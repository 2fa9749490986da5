import { and, asc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { drizzleOn } from "@/lib/postgres/drizzle-on";
import { chatBlock, chatRun, chatUsage } from "@/lib/postgres/schema";

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
  active_leaf_id: string | null;
  skills_before: unknown;
}

/** Neither deleted nor expired. In creation order, so that sources come before forks. */
export function portableSessions(
  sql: Sql,
  {
    owner,
    only,
    after,
    limit,
  }: { owner: string; only: string | null; after: string | null; limit: number },
): Promise<PortableSessionRow[]> {
  return sql<PortableSessionRow[]>`
    select
      session.session_id, session.title, session.model, session.source, session.tags, session.metadata,
      session.parent_session_id, session.forked_at_message_id, session.input_tokens, session.output_tokens, session.cost,
      session.frozen_prompt, session.frozen_versions, session.pinned_at, session.archived_at, session.created_at, session.updated_at,
      leaf.id as active_leaf_id, session.skills_before
    from chat_session session
    left join lateral chat_active(${owner}, session.session_id) active on true
    left join lateral chat_at(${owner}, active.via, active.pos) leaf on true
    where session.owner_id = ${owner} and session.deleted_at is null
      and (session.expires_at is null or session.expires_at > now())
      and (${only}::text is null or session.session_id = ${only})
      and (
        ${after}::text is null
        or (session.created_at, session.session_id) > (
          select earlier.created_at, earlier.session_id from chat_session earlier
          where earlier.owner_id = ${owner} and earlier.session_id = ${after}
        )
      )
    order by session.created_at, session.session_id
    limit ${limit}`;
}

/** Leaves by the use of their branch, the last used one last; a leaf may occur twice. */
export async function leavesByUse(sql: Sql, { owner, session }: Key): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select leaf.id
    from chat_branch branch
    cross join lateral chat_at(${owner}, branch.branch_id, branch.head) leaf
    where branch.owner_id = ${owner} and branch.session_id = ${session}
    order by branch.touched, branch.branch_id`;
  return rows.map(({ id }) => id);
}

/** By a person: a message's own events are in the message. */
export function portableSkills(
  sql: Sql,
  { owner, session }: Key,
): Promise<{ message_id: string; label: string; key: string; action: "load" | "unload" }[]> {
  return sql`
    with event as (
      select own.event_id, own.branch_id, own.pos, own.label, own.key, own.action
      from chat_skill_event own
      where own.owner_id = ${owner} and own.session_id = ${session} and own.noted
      union
      select seen.event_id, seen.branch_id, seen.pos, seen.label, seen.key, seen.action
      from chat_branch branch
      cross join lateral chat_seen_skill_events(${owner}, branch.branch_id, branch.head) seen
      where branch.owner_id = ${owner} and branch.session_id = ${session} and branch.seen_as_of is not null
        and seen.session_id <> ${session} and seen.noted
    )
    select message.id as message_id, event.label, event.key, event.action
    from event
    join chat_message message
      on message.owner_id = ${owner} and message.branch_id = event.branch_id and message.pos = event.pos
      and message.deletion_id is null
    order by event.event_id`;
}

type EndedStatus = Exclude<typeof chatRun.$inferSelect.status, "running" | "paused">;

export function portableRuns(
  pool: Sql,
  { owner, session, after, limit }: Key & { after: string; limit: number },
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
    .where(
      and(
        eq(chatRun.ownerId, owner),
        eq(chatRun.sessionId, session),
        eq(chatRun.kind, "answer"),
        ne(chatRun.status, "running"),
        gt(chatRun.runId, after),
      ),
    )
    .orderBy(asc(chatRun.runId))
    .limit(limit);
}

export type PortableBlockRow = Pick<
  typeof chatBlock.$inferSelect,
  "blockId" | "label" | "description" | "kind" | "scope" | "writers" | "maxTokens" | "origin"
>;

/** `""` for blocks of every session; in the order they were made. */
export function portableBlocks(pool: Sql, { owner, session }: Key): Promise<PortableBlockRow[]> {
  return drizzleOn(pool)
    .select()
    .from(chatBlock)
    .where(
      and(
        eq(chatBlock.ownerId, owner),
        eq(chatBlock.sessionId, session),
        isNull(chatBlock.deletedAt),
      ),
    )
    .orderBy(chatBlock.moment, chatBlock.blockId);
}

export interface PortableDocumentRow {
  block_id: string;
  label: string;
  key: string;
  title: string;
  description: string | null;
  version: number;
}

/** `""` for documents of every session. Includes deleted ones, whose versions are kept. */
export function portableDocuments(
  sql: Sql,
  { owner, session }: Key,
): Promise<PortableDocumentRow[]> {
  return sql<PortableDocumentRow[]>`
    select document.block_id, block.label, document.key, document.title, document.description, document.version
    from chat_document document
    join chat_block block
      on block.owner_id = document.owner_id and block.block_id = document.block_id and block.deleted_at is null
      and block.session_id in ('', document.session_id)
    where document.owner_id = ${owner} and document.session_id = ${session}
    order by block.label, document.block_id, document.key`;
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

/** Oldest first. */
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
    .where(and(eq(chatUsage.ownerId, owner), gt(chatUsage.usageId, after)))
    .orderBy(asc(chatUsage.usageId))
    .limit(limit);
}
