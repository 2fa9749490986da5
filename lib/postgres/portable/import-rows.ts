import type { Sql } from "postgres";

/** Such a session cannot be restored. */
export const importingSource = "importing";

export interface ImportedMessageRow {
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

/** One statement with search rows and skill events. */
export async function insertMessages(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
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
        ${column("tsv")}::text[], ${column("skills")}::text[]
      ) as line (branch_id, pos, id, role, ordinal, pinned, label, created_at, preview, content, tsv, skills)
    ),
    message as (
      insert into chat_message (
        owner_id, branch_id, pos, session_id, id, role, ordinal, pinned, label, created_at, preview, content
      )
      select ${owner}, branch_id, pos, ${session}, id, role, ordinal, pinned, label, created_at, preview, content from given
    ),
    skill as (
      insert into chat_skill_event (owner_id, branch_id, pos, session_id, label, key, action)
      select ${owner}, given.branch_id, given.pos, ${session}, event.label, event.key, event.action
      from given
      cross join lateral rows from (
        json_to_recordset(given.skills::json) as (label text, key text, action text)
      ) with ordinality event (label, key, action, n)
      order by given.ordinal, event.n
    )
    insert into chat_search (owner_id, branch_id, pos, session_id, role, created_at, tsv)
    select ${owner}, branch_id, pos, ${session}, role, created_at, tsv::tsvector from given where tsv <> ''
    order by ordinal`;
}
