import type { Sql } from "postgres";
import { messageFromRow } from "@/lib/postgres/tree/stored-message";
import {
  queryWith,
  type SearchHit,
  type SearchOptions,
  type SearchQuery,
  searchableText,
  searchLimit,
  snippet,
  toTsquery,
} from "@/lib/session";
import { correctQuery } from "./correct-query";
import { type SearchRow, search } from "./search";

/** Finds messages and summaries of one session, or of all with `session: null`. Forgiving, words not found are taken as misspelt. */
export async function searchMessages(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
  { input, options }: { input: string | SearchQuery; options: SearchOptions | number },
): Promise<SearchHit[]> {
  const limits = typeof options === "number" ? { limit: options } : options;
  const query = queryWith(input, limits);
  const hits = await find(sql, { owner, session }, query, limits);
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
  const words = toTsquery(query);
  const limit = searchLimit(options);
  if (words === null || limit === 0) return [];
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
  return rows.map((row) => hitFromRow(row, query));
}

function hitFromRow(row: SearchRow, query: SearchQuery): SearchHit {
  const content =
    row.compaction_id === 0
      ? searchableText(messageFromRow({ ...row, id: row.message_id }))
      : row.content;
  return {
    id: row.message_id,
    sessionId: row.session_id,
    sessionTitle: row.title,
    role: row.role as SearchHit["role"],
    content,
    createdAt: row.created_at,
    score: row.score,
    snippet: snippet(content, query),
    place: row.place,
  };
}

/** The words the best hit was found by, as they are written there. */
function markedWords(hits: readonly SearchHit[]): string {
  const { text, marks } = hits[0]?.snippet ?? { text: "", marks: [] };
  const words = marks.map(([start, end]) => text.slice(start, end).toLowerCase());
  return [...new Set(words)].join(" ");
}
