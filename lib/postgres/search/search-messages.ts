import type { Sql } from "postgres";
import { translated } from "@/lib/postgres/database-error";
import { messageFromRow } from "@/lib/postgres/tree/stored-message";
import type { SearchHit, SearchOptions, SearchQuery } from "@/lib/session";
import { queryWith, searchableText, searchLimit, toTsqueries } from "@/lib/session/internal";
import { correctQuery } from "./correct-query";
import { SnippetsInTurns } from "./snippets-in-turns";

/** `null` searches all sessions. Corrects unknown words. */
export async function searchMessages(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
  { input, options }: { input: string | SearchQuery; options: SearchOptions | number },
): Promise<SearchHit[]> {
  const limits = typeof options === "number" ? { limit: options } : options;
  const query = queryWith(input, limits);
  const hits = await find(sql, { owner, session }, query, limits);
  if (hits.length === 0 && session !== null)
    await translated(sql`select chat_open(${owner}, ${session})`);
  if (hits.length > 0 || !limits.forgiving) return hits;
  const corrected = await correctQuery(sql, owner, query);
  if (!corrected) return [];
  const found = await find(sql, { owner, session }, corrected, limits);
  return found.map((hit) => ({ ...hit, corrected: markedWords(found) }));
}

async function find(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
  query: SearchQuery,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const words = toTsqueries(query);
  const limit = searchLimit(options);
  if (words.length === 0 || limit === 0) return [];
  const rows = await search(sql, {
    owner,
    session: session ?? query.sessionId ?? null,
    words,
    role: query.role ?? null,
    tag: query.tag ?? null,
    before: query.before ?? null,
    after: query.after ?? null,
    limit,
  });
  const snippets = new SnippetsInTurns(query, options.signal);
  const hits: SearchHit[] = [];
  for (const row of rows) hits.push(await hitFromRow(row, query, snippets));
  return hits;
}

async function hitFromRow(
  row: SearchRow,
  query: SearchQuery,
  snippets: SnippetsInTurns,
): Promise<SearchHit> {
  const message =
    row.compaction_id === 0 ? messageFromRow({ ...row, id: row.message_id }) : undefined;
  const content = message ? searchableText(message, query.parts) : row.content;
  return {
    id: row.message_id,
    sessionId: row.session_id,
    sessionTitle: row.title,
    role: row.role as SearchHit["role"],
    content,
    createdAt: row.created_at,
    score: row.score,
    snippet: await snippets.of(content),
    place: row.place,
    ...(message?.metadata !== undefined && { metadata: message.metadata }),
  };
}

/** As written in the best hit. */
function markedWords(hits: readonly SearchHit[]): string {
  const { text, marks } = hits[0]?.snippet ?? { text: "", marks: [] };
  const words = marks.map(([start, end]) => text.slice(start, end).toLowerCase());
  return [...new Set(words)].join(" ");
}

interface SearchRow {
  branch_id: number;
  pos: number;
  compaction_id: number;
  session_id: string;
  title: string;
  role: string;
  created_at: Date;
  score: number;
  message_id: string;
  content: string;
  place: "active" | "branch" | "under-summary" | "summary";
}

interface SearchQueryParameters {
  owner: string;
  /** With what it borrows; `null` for all. */
  session: string | null;
  /** `tsquery` literals. The ranks of a match add up. */
  words: string[];
  role: string | null;
  tag: string | null;
  before: Date | null;
  after: Date | null;
  limit: number;
}

/**
 * Ranks the newest 400 matches of each query: ranking reads the vectors, so a frequent word would otherwise cost the whole corpus.
 * Looks up messages from the best downwards until enough survive. A deleted session's message belongs to the oldest
 * fork that borrows it.
 */
function search(sql: Sql, query: SearchQueryParameters): Promise<SearchRow[]> {
  const { owner, session, words, role, tag, before, after, limit } = query;
  return sql<SearchRow[]>`
    with hit as materialized (
      select
        match.branch_id, match.pos, match.compaction_id, shown_in.session_id, match.role, match.created_at, match.score,
        match.seq, shown_in.title, text.message_id, text.content
      from (
        select
          match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq,
          sum(match.score) as score
        from unnest(${words}::text[]) asked (words)
        cross join lateral chat_search_matches(
          ${owner}, ${session}, asked.words::tsquery, ${role}, ${before}, ${after}
        ) match
        group by
          match.branch_id, match.pos, match.compaction_id, match.session_id, match.role, match.created_at, match.seq
        order by score desc, match.seq desc
        offset 0
      ) match
      cross join lateral (
        select session.session_id, session.title
        from chat_session session
        where session.owner_id = ${owner} and session.deleted_at is null
          and (session.expires_at is null or session.expires_at > now())
          and session.session_id = coalesce(
            ${session}::text,
            (
              select own.session_id from chat_session own
              where own.owner_id = ${owner} and own.session_id = match.session_id and own.deleted_at is null
                and (own.expires_at is null or own.expires_at > now())
            ),
            case when match.compaction_id = 0 then chat_borrower(${owner}, match.branch_id, match.pos) end
          )
          and (${tag}::text is null or ${tag} = any (session.tags))
        offset 0
      ) shown_in
      cross join lateral (
        select message.id as message_id, message.content
        from chat_message message
        where match.compaction_id = 0 and message.owner_id = ${owner} and message.branch_id = match.branch_id
          and message.pos = match.pos and message.deletion_id is null
        union all
        select compaction.to_message_id, compaction.summary
        from chat_compaction compaction
        where compaction.owner_id = ${owner} and compaction.branch_id = match.branch_id
          and compaction.compaction_id = match.compaction_id and compaction.removed_moment is null
        offset 0
      ) text
      order by match.score desc, match.seq desc
      limit ${limit}
    ),
    place as materialized (
      select session.session_id, active.via, active.pos
      from (select distinct hit.session_id from hit) session
      cross join lateral chat_active(${owner}, session.session_id) active
    ),
    shown as materialized (
      select place.session_id, shown.from_pos, shown.to_pos
      from place
      cross join lateral (
        select where chat_has_loans(${owner}, place.session_id) or exists (
          select from chat_compaction compaction
          where compaction.owner_id = ${owner} and compaction.session_id = place.session_id
        )
        offset 0
      ) asked
      cross join lateral chat_shown_compactions(${owner}, place.via, place.pos) shown
    )
    select
      hit.branch_id, hit.pos, hit.compaction_id, hit.session_id, hit.title, hit.role, hit.created_at, hit.score,
      hit.message_id, hit.content,
      case
        when hit.compaction_id <> 0 then 'summary'
        when not (
          (hit.branch_id = place.via and hit.pos <= place.pos) is true
          or exists (
            select from chat_segments(${owner}, place.via, place.pos) segment
            where segment.branch_id = hit.branch_id and segment.lo < hit.pos and hit.pos <= segment.hi
          )
        ) then 'branch'
        when exists (
          select from shown
          where shown.session_id = hit.session_id and shown.from_pos <= hit.pos and hit.pos <= shown.to_pos
        ) then 'under-summary'
        else 'active'
      end as place
    from hit
    left join place on place.session_id = hit.session_id
    order by hit.score desc, hit.seq desc`;
}
