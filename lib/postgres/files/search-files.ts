import { z } from "zod";
import { snippet, toTsquery } from "../../session/internal";
import type { SearchQuery, Snippet } from "../../session/ports";
import type { Sql } from "../connections/sql";

export interface FileHit {
  readonly sha256: string;
  readonly name: string;
  readonly mediaType: string;
  /** Size in bytes. */
  readonly size: number;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly page: number;
  readonly messageId: string;
  readonly sessionId: string;
  readonly sessionTitle: string;
  readonly snippet: Snippet;
}

interface FileHitRow extends Omit<FileHit, "name" | "snippet"> {
  readonly text: string;
  readonly content: string;
}

/**
 * Files with matching text that messages name, best first, each with its best page. Role and time are the message's; a
 * query with a tag finds none.
 */
export async function searchFiles(
  sql: Sql,
  ownerId: string,
  query: SearchQuery,
  { limit }: { limit: number },
): Promise<FileHit[]> {
  const words = toTsquery(query);
  if (words === null || query.tag !== undefined || query.program !== undefined) return [];
  const rows = await sql<FileHitRow[]>`
    with page as (
      select distinct on (found.sha256) found.sha256, found.page, found.text, found.rank
      from (
        select page.sha256, page.page, page.text, ts_rank(page.tsv, ${words}::tsquery) as rank
        from chat_file_page page
        where page.owner_id = ${ownerId} and page.tsv @@ ${words}::tsquery
        order by rank desc, page.sha256, page.page
        limit 200
      ) found
      order by found.sha256, found.rank desc, found.page
    ),
    named as (
      select distinct on (page.sha256)
        page.sha256, page.page, page.text, page.rank, message.id, message.session_id, message.content, session.title
      from chat_message message
      join chat_session session
        on session.owner_id = message.owner_id and session.session_id = message.session_id
          and session.deleted_at is null and (session.expires_at is null or session.expires_at > now())
      cross join lateral regexp_matches(message.content, 'grove-file:([0-9a-f]{64})', 'g') file (match)
      join page on page.sha256 = file.match[1]
      where message.owner_id = ${ownerId} and message.content like '%grove-file:%' and message.deletion_id is null
        and (${query.sessionId ?? null}::text is null or message.session_id = ${query.sessionId ?? null})
        and (${query.sessionId ?? null}::text is not null or message.session_id <> all (chat_logs(${ownerId})))
        and (${query.role ?? null}::text is null or message.role = ${query.role ?? null})
        and (${query.before?.toISOString() ?? null}::timestamptz is null or message.created_at < ${query.before?.toISOString() ?? null})
        and (${query.after?.toISOString() ?? null}::timestamptz is null or message.created_at >= ${query.after?.toISOString() ?? null})
      order by page.sha256, message.created_at desc, message.session_id, message.id
    )
    select
      named.sha256, file.media_type as "mediaType", file.size, file.facts, named.page, named.text, named.content,
      named.id as "messageId", named.session_id as "sessionId", named.title as "sessionTitle"
    from named
    join chat_file file on file.owner_id = ${ownerId} and file.sha256 = named.sha256 and file.complete
    order by named.rank desc, named.sha256
    limit ${limit}`;
  return rows.map(({ text, content, ...row }) => ({
    ...row,
    size: Number(row.size),
    name: nameIn(content, row.sha256),
    snippet: snippet(text, query),
  }));
}

const storedContent = z.object({
  parts: z.array(
    z.looseObject({ url: z.string().optional(), filename: z.string().optional() }).catch({}),
  ),
});

function nameIn(content: string, sha256: string): string {
  const { parts } = storedContent.parse(JSON.parse(content));
  return parts.find(({ url }) => url === `grove-file:${sha256}`)?.filename ?? "File";
}
