import type { SearchHit, SearchOptions } from "../../session";
import {
  hitsPerSession,
  queryWith,
  saidText,
  saysAll,
  searchableText,
  searchLimit,
  sessionMatches,
  toTsqueries,
} from "../../session/internal";
import type { SearchQuery, SessionMatch } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { translated } from "../database-error";
import { messageFromRow } from "../tree/stored-message";
import { correctQuery } from "./correct-query";
import { SnippetsInTurns } from "./snippets-in-turns";

/** `session: null` searches all sessions. Corrects unknown words. */
export async function searchMessages(
  sql: Sql,
  { owner, session }: { owner: string; session: string | null },
  { input, options }: { input: string | SearchQuery; options: SearchOptions | number },
): Promise<SearchHit[]> {
  const limits = typeof options === "number" ? { limit: options } : options;
  const query = queryWith(input, limits);
  const within = { owner, session: session ?? query.sessionId ?? null, each: null };
  const hits = await findForgiving(sql, within, query, limits);
  if (hits.length === 0 && session !== null)
    await translated(sql`select chat_open(${owner}, ${session})`);
  return hits;
}

/** The best sessions by their best hits. Corrects unknown words. */
export async function searchSessions(
  sql: Sql,
  owner: string,
  { input, options }: { input: string | SearchQuery; options: SearchOptions },
): Promise<SessionMatch[]> {
  const query = queryWith(input, options);
  const { sessionId: session = null } = query;
  const limit = searchLimit(options);
  const each = hitsPerSession(limit);
  const [place, limits] =
    session === null
      ? [{ owner, session, each }, options]
      : [
          { owner, session, each: null },
          { ...options, limit: each },
        ];
  return sessionMatches(await findForgiving(sql, place, query, limits), limit);
}

interface SearchedPlace {
  readonly owner: string;
  /** The session and its borrowed branches; `null` for all. */
  readonly session: string | null;
  /** The most hits of a session, when the limit counts sessions. */
  readonly each: number | null;
}

async function findForgiving(
  sql: Sql,
  place: SearchedPlace,
  query: SearchQuery,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const hits = await find(sql, place, query, options);
  if (hits.length > 0 || !options.forgiving) return hits;
  const corrected = await correctQuery(sql, place.owner, query);
  if (!corrected) return [];
  const found = await find(sql, place, corrected, options);
  return found.map((hit) => ({ ...hit, corrected: markedWords(found) }));
}

async function find(
  sql: Sql,
  { owner, session, each }: SearchedPlace,
  query: SearchQuery,
  options: SearchOptions,
): Promise<SearchHit[]> {
  const words = toTsqueries(query);
  const limit = searchLimit(options);
  if (words.length === 0 || limit === 0) return [];
  const rows = await search(sql, {
    owner,
    session,
    each,
    words,
    role: query.role ?? null,
    tag: query.tag ?? null,
    program: query.program ?? null,
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
  const said = message ? saidText(message, query.parts) : content;
  const ofSaid = await snippets.of(said);
  const isEnough = said === content || saysAll(ofSaid, query);
  return {
    id: row.message_id,
    sessionId: row.session_id,
    sessionTitle: row.title,
    role: row.role as SearchHit["role"],
    content,
    createdAt: row.created_at,
    score: row.score,
    snippet: isEnough ? ofSaid : await snippets.of(content),
    place: row.place,
    ...(said !== content && ofSaid.marks.length === 0 && { part: "tools" as const }),
    ...(message?.metadata !== undefined && { metadata: message.metadata }),
  };
}

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

interface SearchQueryParameters extends SearchedPlace {
  /** `tsquery` literals. The ranks of a match add up. */
  words: string[];
  role: string | null;
  tag: string | null;
  program: string | null;
  before: Date | null;
  after: Date | null;
  limit: number;
}

function search(sql: Sql, query: SearchQueryParameters): Promise<SearchRow[]> {
  const { owner, session, each, words, role, tag, program, before, after, limit } = query;
  return sql<SearchRow[]>`
    select compaction_id, session_id, title, role, created_at, score, message_id, content, place
    from chat_search_hits(
      ${owner}, ${session}, ${words}, ${role}, ${tag}, ${program}, ${before}, ${after}, ${limit},
      ${each}
    )`;
}
