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

function search(sql: Sql, query: SearchQueryParameters): Promise<SearchRow[]> {
  const { owner, session, words, role, tag, before, after, limit } = query;
  return sql<SearchRow[]>`
    select compaction_id, session_id, title, role, created_at, score, message_id, content, place
    from chat_search_hits(
      ${owner}, ${session}, ${words}, ${role}, ${tag}, ${before}, ${after}, ${limit}
    )`;
}
