import type { Sql } from "postgres";

export interface ProposalRow {
  proposal_id: string;
  session_id: string;
  message_id: string | null;
  label: string;
  key: string | null;
  title: string | null;
  description: string | null;
  action: "replace" | "append";
  content: string;
  base_version: number | null;
  status: "open" | "accepted" | "declined";
  version: number | null;
  created_at: Date;
  decided_at: Date | null;
}

interface Key {
  owner: string;
  id: string;
}

const columns = (sql: Sql) => sql`
  proposal.proposal_id, proposal.session_id, proposal.message_id, proposal.label, proposal.key, proposal.title,
  proposal.description, proposal.action, proposal.content, proposal.base_version, proposal.status, proposal.version,
  proposal.created_at, proposal.decided_at`;

/** A proposal of a session that is there. */
export async function readProposal(sql: Sql, { owner, id }: Key): Promise<ProposalRow | undefined> {
  const [row] = await sql<ProposalRow[]>`
    select ${columns(sql)}
    from chat_proposal proposal
    join chat_session session using (owner_id, session_id)
    where owner_id = ${owner} and proposal.proposal_id = ${id} and session.deleted_at is null`;
  return row;
}

/** No row when there is no such session. */
export async function insertProposal(
  sql: Sql,
  row: Key & {
    session: string;
    messageId: string | null;
    label: string;
    key: string | null;
    title: string | null;
    description: string | null;
    action: string;
    content: string;
    baseVersion: number | null;
  },
): Promise<ProposalRow | undefined> {
  const [inserted] = await sql<ProposalRow[]>`
    insert into chat_proposal as proposal (
      owner_id, proposal_id, session_id, message_id, label, key, title, description, action, content, base_version
    )
    select
      owner_id, ${row.id}, session_id, ${row.messageId}, ${row.label}, ${row.key}, ${row.title}, ${row.description},
      ${row.action}, ${row.content}, ${row.baseVersion}::integer
    from chat_session
    where owner_id = ${row.owner} and session_id = ${row.session} and deleted_at is null
    returning ${columns(sql)}`;
  return inserted;
}

/** Newest first; those of deleted sessions are left out. */
export function listProposals(
  sql: Sql,
  {
    owner,
    session,
    messageId,
    status,
    limit,
  }: {
    owner: string;
    session: string | null;
    messageId: string | null;
    status: string | null;
    limit: number;
  },
): Promise<ProposalRow[]> {
  return sql<ProposalRow[]>`
    select ${columns(sql)}
    from chat_proposal proposal
    join chat_session session using (owner_id, session_id)
    where owner_id = ${owner} and session.deleted_at is null
      and (${session}::text is null or session_id = ${session})
      and (${messageId}::text is null or proposal.message_id = ${messageId})
      and (${status}::text is null or proposal.status = ${status})
    order by proposal.moment desc, proposal.proposal_id
    limit ${limit}`;
}

/** Decides about an open proposal; one that was decided stays as it is, and one of a deleted session too. */
export async function decideProposal(
  sql: Sql,
  { owner, id, status, version }: Key & { status: string; version: number | null },
): Promise<boolean> {
  const rows = await sql`
    update chat_proposal proposal set status = ${status}, version = ${version}, decided_at = now()
    from chat_session session
    where proposal.owner_id = ${owner} and proposal.proposal_id = ${id} and proposal.status = 'open'
      and session.owner_id = proposal.owner_id and session.session_id = proposal.session_id
      and session.deleted_at is null
    returning proposal.proposal_id`;
  return rows.length > 0;
}
