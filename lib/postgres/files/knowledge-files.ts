import { z } from "zod";
import { snippet, toTsqueries, toTsquery } from "../../session/internal";
import type { SearchQuery } from "../../session/ports";
import type { Fragment, Sql } from "../connections/sql";

/** Id of the block whose entries name a place's files: key is the hash, title the name. */
export const knowledgeBlock = "Files";

export interface NamedFile {
  readonly sha256: string;
  readonly name: string;
}

export interface FileScope {
  readonly ofPlace: boolean;
  readonly files: readonly NamedFile[];
}

export interface PageHit extends NamedFile {
  readonly page: number;
  readonly title: string;
  readonly text: string;
}

const pagesWeighed = 200;
const snippetChars = 600;
/** The beginning of a page, of which words are indexed. */
const searchedChars = 200_000;

export async function hasKnowledgeFiles(sql: Sql, place: string): Promise<boolean> {
  const rows = await sql`
    select from chat_document document
    where document.owner_id = ${place} and document.block_id = ${knowledgeBlock} and document.session_id = ''
      and document.content is not null
    limit 1`;
  return rows.length > 0;
}

/** File parts of the person's messages on a path, newest first. */
export async function filesOfPath(
  sql: Sql,
  chats: string,
  {
    sessionId,
    leafId,
    most,
  }: { readonly sessionId: string; readonly leafId: string; readonly most: number },
): Promise<{ readonly type: string }[]> {
  const rows = await sql<{ content: string }[]>`
    select message.content
    from chat_locate(${chats}, ${sessionId}, ${leafId}) leaf
    cross join lateral chat_segments(${chats}, leaf.via, leaf.pos) segment
    join chat_message message
      on message.owner_id = ${chats} and message.session_id = segment.session_id
        and message.branch_id = segment.branch_id and message.pos > segment.lo and message.pos <= segment.hi
    where message.role = 'user' and message.deletion_id is null and message.content like '%grove-file:%'
    order by segment.depth, message.pos desc, message.branch_id
    limit ${most}`;
  return rows.flatMap(({ content }) => storedParts.parse(JSON.parse(content)).parts.toReversed());
}

/** Files with that name, whatever its case, or whose hash begins so: at most two. */
export async function knowledgeFilesNamed(
  sql: Sql,
  place: string,
  name: string,
): Promise<NamedFile[]> {
  return sql<NamedFile[]>`
    select document.key as sha256, document.title as name
    from chat_document document
    where document.owner_id = ${place} and document.block_id = ${knowledgeBlock} and document.session_id = ''
      and document.content is not null
      and (lower(document.title) = lower(${name}) or starts_with(document.key, ${name.length < 12 ? "no hash" : name}))
    order by document.key
    limit 2`;
}

/** Pages with all words, best first; if these are few, those without one of them, then those with any, the rarer the better. */
export async function searchPages(
  sql: Sql,
  place: string,
  query: SearchQuery,
  { scope, limit }: { readonly scope: FileScope; readonly limit: number },
): Promise<PageHit[]> {
  const all = toTsquery(query);
  if (all === null) return [];
  const { ofPlace, files } = scope;
  const pagesWith = (queries: readonly string[], isNeeded: Fragment) => sql`
    select found.sha256, found.page, ln(1 + 1e6 / count(*) over (partition by asked.n)) as score
    from unnest(${queries as string[]}::text[]) with ordinality asked (words, n)
    cross join lateral (
      select page.sha256, page.page
      from chat_file_page page
      where page.owner_id = ${place} and page.tsv @@ asked.words::tsquery
        and page.sha256 in (select scope.sha256 from scope)
      limit ${pagesWeighed}
    ) found
    where ${isNeeded}`;
  const rows = await sql<PageHit[]>`
    with scope as materialized (
      select document.key as sha256, document.title as name
      from chat_document document
      where document.owner_id = ${place} and document.block_id = ${knowledgeBlock} and document.session_id = ''
        and document.content is not null and ${ofPlace}
      union
      select given.sha256, given.name
      from unnest(${files.map(({ sha256 }) => sha256)}::text[], ${files.map(({ name }) => name)}::text[]) given (sha256, name)
    ),
    whole as materialized (
      select page.sha256, page.page, 1e6 + ts_rank(page.tsv, ${all}::tsquery, 1) as score
      from chat_file_page page
      where page.owner_id = ${place} and page.tsv @@ ${all}::tsquery and page.sha256 in (select scope.sha256 from scope)
      limit ${pagesWeighed}
    ),
    nearly as materialized (${pagesWith(allButOne(query), sql`(select count(*) from whole) < ${limit}`)}),
    single as (
      ${pagesWith(eachAlone(query), sql`(select count(*) from whole) + (select count(*) from nearly) < ${limit}`)}
    ),
    best as (
      select found.sha256, found.page, sum(found.score) as score
      from (
        select * from whole
        union all
        select nearly.sha256, nearly.page, 1e3 + nearly.score from nearly
        union all
        select * from single
      ) found
      group by found.sha256, found.page
      order by score desc, found.sha256, found.page
      limit ${limit}
    )
    select
      best.sha256, best.page, page.title, left(page.text, ${searchedChars}::integer) as text,
      (select min(scope.name) from scope where scope.sha256 = best.sha256) as name
    from best
    join chat_file_page page on page.owner_id = ${place} and page.sha256 = best.sha256 and page.page = best.page
    order by best.score desc, best.sha256, best.page`;
  return rows.map((row) => ({
    ...row,
    text: snippet(row.text, query, { maxChars: snippetChars }).text,
  }));
}

function allButOne(query: SearchQuery): string[] {
  const wanted = query.phrases.filter(({ negated }) => !negated);
  if (wanted.length < 3) return [];
  const fewer = wanted.map((left) => query.phrases.filter((phrase) => phrase !== left));
  return fewer.flatMap((phrases) => toTsquery({ ...query, phrases }) ?? []);
}

function eachAlone(query: SearchQuery): string[] {
  return toTsqueries({ ...query, match: "any" }).slice(1);
}

const storedParts = z.object({
  parts: z.array(z.looseObject({ type: z.string() }).catch({ type: "" })),
});
