import { z } from "zod";
import { parseQuery } from "../../session";
import { frequentIn, type QueryPhrase, snippet, toTsqueries } from "../../session/internal";
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

/** A word on more pages finds none of its own, it only ranks those of rarer ones. */
const pagesOfRareWord = 1_000;
const pagesListed = 2_000;
const pagesBegun = 300;
const pagesWeighed = 50;
const pagesSampled = 64;
const filesSampled = 32;
const snippetChars = 600;
/** The beginning of a page, of which words are indexed. */
const searchedChars = 200_000;

/** True when the knowledge of a place has files. */
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

/** Pages with the rarest of the words, those with more of them first; words like "the" count where there are no others. */
export async function searchPages(
  sql: Sql,
  place: string,
  query: SearchQuery,
  { scope, limit }: { readonly scope: FileScope; readonly limit: number },
): Promise<PageHit[]> {
  const asked = toTsqueries({ ...withoutFrequentWords(query), match: "any" });
  // Several phrases give all of them at first, then each.
  const words = asked.length > 1 ? asked.slice(1) : asked;
  if (words.length === 0) return [];
  const inScope = sql`
    scope as materialized (
      select document.key as sha256, document.title as name
      from chat_document document
      where document.owner_id = ${place} and document.block_id = ${knowledgeBlock} and document.session_id = ''
        and document.content is not null and ${scope.ofPlace}
      union
      select given.sha256, given.name
      from unnest(${scope.files.map(({ sha256 }) => sha256)}::text[], ${scope.files.map(({ name }) => name)}::text[]) given (sha256, name)
    )`;
  const { pages, sampled, hits } = await frequencies(sql, place, { words, inScope });
  const estimated = words.map((word, n) => {
    const found = hits[n] ?? 0;
    return { word, found, share: found / Math.max(sampled, 1) };
  });
  // One page of a sample says little.
  const isRare = ({ found, share }: { readonly found: number; readonly share: number }) =>
    found < 2 || pages * share <= pagesOfRareWord;
  const rare = estimated.filter(isRare).map(({ word }) => word);
  const frequent = estimated.filter((each) => !isRare(each));
  const frequentWords = frequent.map(({ word }) => word);
  const allFrequent = joined(frequentWords, "&");
  // Without the offset, a plan for unknown values reads all pages of all files in scope instead of the index.
  const pagesWith = (query: Fragment) => sql`(
    select page.sha256, page.page from chat_file_page page
    where page.owner_id = ${place} and page.tsv @@ ${query}
    offset 0
  )`;
  const rows = await sql<PageHit[]>`
    with ${inScope},
    listed as materialized (
      select asked.words, found.sha256, found.page,
        ln(1 + greatest(${pages}::float8 / count(*) over (partition by asked.words), 1)) as weight
      from unnest(${rare}::text[]) asked (words)
      cross join lateral (
        select page.sha256, page.page from ${pagesWith(sql`asked.words::tsquery`)} page
        where page.sha256 in (select scope.sha256 from scope)
        limit ${pagesListed}
      ) found
    ),
    -- Only where no page has a rare word. Not by the index, which would read all pages of a frequent word.
    beginning as materialized (
      select first.sha256, first.page, ((first.tsv || '') @@ ${allFrequent}::tsquery)::integer as weight
      from (
        select page.sha256, page.page, page.tsv
        from scope join chat_file_page page on page.owner_id = ${place} and page.sha256 = scope.sha256
        where not exists (select from listed)
        limit ${pagesBegun}
      ) first
      where (first.tsv || '') @@ ${joined(frequentWords, "|")}::tsquery
    ),
    together as materialized (
      select page.sha256, page.page from ${pagesWith(sql`${allFrequent}::tsquery`)} page
      where page.sha256 in (select scope.sha256 from scope) and not exists (select from listed)
        and (select coalesce(sum(beginning.weight), 0) from beginning) < ${limit}
      limit ${pagesListed}
    ),
    candidate as (
      select found.sha256, found.page
      from (
        select listed.sha256, listed.page, listed.weight from listed
        union all
        select together.sha256, together.page, 1 from together
        union all
        select beginning.sha256, beginning.page, beginning.weight from beginning
      ) found
      group by found.sha256, found.page
      order by sum(found.weight) desc, found.sha256, found.page
      limit ${pagesWeighed}
    ),
    weighted as materialized (
      select listed.words::tsquery as words, max(listed.weight) as weight from listed group by listed.words
      union all
      select given.words::tsquery, ln(1 + 1 / given.share)
      from unnest(${frequentWords}::text[], ${frequent.map(({ share }) => share)}::float8[]) given (words, share)
    ),
    best as (
      select candidate.sha256, candidate.page, page.title, page.text,
        (select sum(weighted.weight) from weighted where page.tsv @@ weighted.words)
          + ts_rank(page.tsv, ${joined(words, "|")}::tsquery, 1) as score
      from candidate
      cross join lateral (
        select page.title, page.text, page.tsv
        from chat_file_page page
        where page.owner_id = ${place} and page.sha256 = candidate.sha256 and page.page = candidate.page
        limit 1
      ) page
      order by score desc nulls last, candidate.sha256, candidate.page
      limit ${limit}
    )
    select
      best.sha256, best.page, best.title, left(best.text, ${searchedChars}::integer) as text,
      (select min(scope.name) from scope where scope.sha256 = best.sha256) as name
    from best
    order by best.score desc nulls last, best.sha256, best.page`;
  return rows.map((row) => ({
    ...row,
    text: snippet(row.text, query, { maxChars: snippetChars }).text,
  }));
}

/** `null`, which no page has, without words. */
function joined(words: readonly string[], operator: "&" | "|"): string | null {
  return words.length === 0 ? null : words.map((word) => `(${word})`).join(` ${operator} `);
}

/** The number of pages, an estimate from 32 files with text on, and of those in a sample that have each of the words. */
async function frequencies(
  sql: Sql,
  place: string,
  { words, inScope }: { readonly words: readonly string[]; readonly inScope: Fragment },
): Promise<{ readonly pages: number; readonly sampled: number; readonly hits: readonly number[] }> {
  const [row] = await sql<{ pages: number; sampled: number; hits: number[] | null }[]>`
    with ${inScope},
    -- Hashes are in a random order.
    file as materialized (
      select ordered.sha256, ordered.rank, last.page as pages
      from (
        select scope.sha256, row_number() over (order by scope.sha256) as rank from scope
      ) ordered
      cross join lateral (
        select max(page.page) as page from chat_file_page page where page.owner_id = ${place} and page.sha256 = ordered.sha256
      ) last
      where last.page is not null
      order by ordered.sha256
      limit ${filesSampled}
    ),
    sample as materialized (
      select page.tsv
      from (select ceil(${pagesSampled}::float8 / count(*))::integer as pages from file having count(*) > 0) each
      cross join file
      cross join lateral (
        select distinct 1 + file.pages * (n - 1) / each.pages as page
        from generate_series(1, each.pages) n
      ) drawn
      cross join lateral (
        select page.tsv from chat_file_page page
        where page.owner_id = ${place} and page.sha256 = file.sha256 and page.page = drawn.page
        limit 1
      ) page
    )
    select
      (
        select coalesce(sum(file.pages), 0)::float8 * case
          when count(*) < ${filesSampled} then 1
          else (select count(*) from scope) / max(file.rank)::float8
        end
        from file
      ) as pages,
      (select count(*) from sample)::integer as sampled,
      (
        select array_agg(word.hits order by word.n)
        from (
          select asked.n, (count(*) filter (where sample.tsv @@ asked.words::tsquery))::integer as hits
          from unnest(${words as string[]}::text[]) with ordinality asked (words, n) cross join sample
          group by asked.n
        ) word
      ) as hits`;
  return { pages: row?.pages ?? 0, sampled: row?.sampled ?? 0, hits: row?.hits ?? [] };
}

/** The words of a sentence like "how big is the shed" without "how", "is" and "the". */
function withoutFrequentWords(query: SearchQuery): SearchQuery {
  const languagesOf = ({ terms, negated }: QueryPhrase) =>
    negated || terms.length > 1 ? [] : [...(frequentStems().get(terms[0]?.[0] ?? "") ?? [])];
  const counts = new Map<number, number>();
  for (const language of query.phrases.flatMap(languagesOf)) {
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(...counts.values(), 2);
  const isFrequent = (phrase: QueryPhrase) =>
    languagesOf(phrase).some((language) => counts.get(language) === most);
  const phrases = query.phrases.filter((phrase) => !isFrequent(phrase));
  return phrases.some(({ negated }) => !negated) ? { ...query, phrases } : query;
}

let stems: ReadonlyMap<string, ReadonlySet<number>> | null = null;

/** Numbers of the languages in which a word with that stem is frequent. */
function frequentStems(): ReadonlyMap<string, ReadonlySet<number>> {
  if (stems) return stems;
  const found = new Map<string, Set<number>>();
  for (const [word, languages] of frequentIn) {
    for (const { terms } of parseQuery(word, { prefix: false }).phrases) {
      const stem = terms[0]?.[0] ?? "";
      found.set(stem, new Set([...(found.get(stem) ?? []), ...languages]));
    }
  }
  stems = found;
  return stems;
}

const storedParts = z.object({
  parts: z.array(z.looseObject({ type: z.string() }).catch({ type: "" })),
});
