import type { Sql } from "postgres";

export interface SearchRow {
  branch_id: number;
  pos: number;
  compaction_id: number;
  session_id: string;
  title: string;
  role: string;
  created_at: Date;
  score: number;
  message_id: string;
  /** JSON of a message, or the text of a summary. */
  content: string;
  place: "active" | "branch" | "under-summary" | "summary";
}

export interface SearchQueryParameters {
  owner: string;
  /** One session, with what it borrows; `null` for all of the owner's. */
  session: string | null;
  /** A `tsquery` literal. */
  words: string;
  role: string | null;
  tag: string | null;
  before: Date | null;
  after: Date | null;
  limit: number;
}

/**
 * The newest 400 messages and summaries with these words, then the best of them, then where each lies.
 *
 * Ranking reads the vectors of what it ranks, so a word that occurs everywhere would cost the whole corpus; taking the
 * newest first bounds it.
 */
export function search(sql: Sql, query: SearchQueryParameters): Promise<SearchRow[]> {
  const { owner, session, words, role, tag, before, after, limit } = query;
  return sql<SearchRow[]>`
    with borrowed as materialized (
      select branch_id, max(upto) as upto
      from chat_borrowed(${owner}, ${session}::text)
      where ${session}::text is not null
      group by branch_id
    ),
    match as materialized (
      select found.branch_id, found.pos, found.compaction_id, found.session_id, found.role, found.created_at, found.tsv, found.seq
      from chat_search found
      where found.owner_id = ${owner}
        and found.tsv @@ ${words}::tsquery
        and (
          ${session}::text is null or found.session_id = ${session}
          or found.compaction_id = 0 and exists (
            select from borrowed where borrowed.branch_id = found.branch_id and found.pos <= borrowed.upto
          )
        )
        and (${role}::text is null or found.role = ${role} and found.compaction_id = 0)
        and (${before}::timestamptz is null or found.created_at < ${before})
        and (${after}::timestamptz is null or found.created_at >= ${after})
      order by found.seq desc
      limit 400
    ),
    hit as materialized (
      select
        match.branch_id, match.pos, match.compaction_id, coalesce(${session}::text, match.session_id) as session_id,
        match.role, match.created_at, ts_rank(match.tsv, ${words}::tsquery)::float8 as score, match.seq,
        session.title,
        coalesce(message.id, compaction.to_message_id) as message_id,
        coalesce(message.content, compaction.summary) as content
      from match
      join chat_session session
        on session.owner_id = ${owner} and session.session_id = coalesce(${session}::text, match.session_id)
        and session.deleted_at is null
        and (${tag}::text is null or ${tag} = any (session.tags))
      left join chat_message message
        on match.compaction_id = 0 and message.owner_id = ${owner} and message.branch_id = match.branch_id
        and message.pos = match.pos and message.deletion_id is null
      left join chat_compaction compaction
        on compaction.owner_id = ${owner} and compaction.branch_id = match.branch_id
        and compaction.compaction_id = match.compaction_id and compaction.removed_moment is null
      where message.id is not null or compaction.id is not null
      order by score desc, match.seq desc
      limit ${limit}
    ),
    place as materialized (
      select session.session_id, active.via, active.pos
      from (select distinct hit.session_id from hit) session
      cross join lateral chat_active(${owner}, session.session_id) active
    )
    select
      hit.branch_id, hit.pos, hit.compaction_id, hit.session_id, hit.title, hit.role, hit.created_at, hit.score,
      hit.message_id, hit.content,
      case
        when hit.compaction_id <> 0 then 'summary'
        when not exists (
          select from place
          cross join lateral chat_segments(${owner}, place.via, place.pos) segment
          where place.session_id = hit.session_id
            and segment.branch_id = hit.branch_id and segment.lo < hit.pos and hit.pos <= segment.hi
        ) then 'branch'
        when exists (
          select from place
          cross join lateral chat_shown_compactions(${owner}, place.via, place.pos) shown
          where place.session_id = hit.session_id and shown.from_pos <= hit.pos and hit.pos <= shown.to_pos
        ) then 'under-summary'
        else 'active'
      end as place
    from hit
    order by hit.score desc, hit.seq desc`;
}
