import { type SessionRecordOf, storableText } from "../../session/internal";
import type { Sql } from "../connections/sql";
import { movedSource } from "../live-session";
import type { BranchLayout } from "./branch-layout";

/** A session that is being imported cannot be restored. */
export const importingSource = "importing";

export interface ImportedMessageRow {
  session: string;
  branch: number;
  pos: number;
  id: string;
  role: string;
  ordinal: number;
  pinned: boolean;
  label: string | null;
  createdAt: string;
  preview: string;
  content: string;
  tsv: string;
  skills: string | null;
}

export function sessionValues(
  record: SessionRecordOf<"session">,
  { owner, id, parentId }: { owner: string; id: string; parentId: string | null },
) {
  return {
    ownerId: owner,
    sessionId: id,
    title: storableText(record.title),
    parentSessionId: parentId,
    forkedAtMessageId: record.forkedAtMessageId,
    model: record.model,
    tags: record.tags.map(storableText),
    metadata: record.metadata,
    skillsBefore: record.skillsBefore,
    inputTokens: record.inputTokens,
    outputTokens: record.outputTokens,
    cost: record.cost,
    frozenPrompt: record.frozenPrompt && storableText(record.frozenPrompt),
    frozenVersions: record.frozenVersions,
    pinnedAt: record.pinnedAt === null ? null : new Date(record.pinnedAt),
    archivedAt: record.archivedAt === null ? null : new Date(record.archivedAt),
    createdAt: new Date(record.createdAt),
    updatedAt: new Date(record.updatedAt),
  };
}

export function shownValues(
  { source, activeLeafId, leafIds }: SessionRecordOf<"session">,
  layout: BranchLayout,
  branchIds: readonly number[],
  summariesAndSkills = 0,
) {
  const active = layout.activePlace(activeLeafId);
  return {
    deletedAt: null,
    source: source === importingSource || source === movedSource ? null : source,
    touches: layout.size + leafIds.length + summariesAndSkills,
    messageCount: layout.size,
    activeBranch: active && (branchIds[active.branch] ?? null),
    activePos: active?.pos ?? null,
  };
}

/** Search rows and skill events are in the same statement. */
export async function insertMessages(
  sql: Sql,
  owner: string,
  rows: readonly ImportedMessageRow[],
): Promise<void> {
  const column = <Name extends keyof ImportedMessageRow>(name: Name) =>
    // The driver takes a list's type from its first member, and encodes booleans wrongly.
    rows.map((row) => (row[name] === null ? null : String(row[name]))) as string[];
  await sql`
    with given as (
      select * from unnest(
        ${column("branch")}::bigint[], ${column("pos")}::integer[], ${column("id")}::text[], ${column("role")}::text[],
        ${column("ordinal")}::bigint[], ${column("pinned")}::text[]::boolean[], ${column("label")}::text[],
        ${column("createdAt")}::timestamptz[], ${column("preview")}::text[], ${column("content")}::text[],
        ${column("tsv")}::text[], ${column("skills")}::text[], ${column("session")}::text[]
      ) with ordinality as line (
        branch_id, pos, id, role, ordinal, pinned, label, created_at, preview, content, tsv, skills, session_id, n
      )
    ),
    message as (
      insert into chat_message (
        owner_id, branch_id, pos, session_id, id, role, ordinal, pinned, label, created_at, preview, content
      )
      select ${owner}, branch_id, pos, session_id, id, role, ordinal, pinned, label, created_at, preview, content from given
    ),
    skill as (
      insert into chat_skill_event (owner_id, event_id, n, branch_id, pos, session_id, label, key, action)
      select
        ${owner}, given.ordinal, event.n, given.branch_id, given.pos, given.session_id, event.label, event.key, event.action
      from given
      cross join lateral rows from (
        json_to_recordset(given.skills::json) as (label text, key text, action text)
      ) with ordinality event (label, key, action, n)
    )
    insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
    select ${owner}, branch_id, pos, session_id, role, created_at, tsv::tsvector from given where tsv <> ''
    order by n`;
}

export async function newBranchIds(sql: Sql, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select nextval('chat_branch_id') as id from generate_series(1, ${count})`;
  return rows.map(({ id }) => id);
}
