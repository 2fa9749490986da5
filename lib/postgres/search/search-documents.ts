import type { Sql } from "postgres";
import { type DocumentRow, searchDocuments } from "@/lib/postgres/memory/documents";
import {
  marked,
  parseQuery,
  type SearchQuery,
  type Snippet,
  snippet,
  toTsquery,
} from "@/lib/session";

/** A memory document that a search found. */
export interface DocumentHit {
  readonly label: string;
  /** `null` for a block itself. */
  readonly key: string | null;
  readonly title: Snippet;
  /** The session it belongs to; `null` when it holds everywhere. */
  readonly sessionId: string | null;
  readonly snippet: Snippet;
}

export interface DocumentSearchOptions {
  readonly ownerId: string;
  /** The search line. */
  readonly input: string;
  /** The session that its `in:` means, where that is not an id. */
  readonly sessionId?: string | undefined;
  readonly limit: number;
}

/**
 * Blocks, knowledge and skills of an owner with the words of a search line, best first. `before:` and `after:` mean their
 * last change, `in:` leaves those of one session. None has a role or a tag, so asking for one finds none.
 */
export async function searchAllDocuments(
  sql: Sql,
  { ownerId, input, sessionId, limit }: DocumentSearchOptions,
): Promise<DocumentHit[]> {
  const query = parseQuery(input);
  const words = toTsquery(query);
  if (words === null || query.role !== undefined || query.tag !== undefined) return [];
  const rows = await searchDocuments(sql, {
    owner: ownerId,
    scope: sessionId ?? query.sessionId ?? null,
    words,
    before: query.before ?? null,
    after: query.after ?? null,
    limit,
  });
  return rows.map((row) => ({
    label: row.label,
    key: row.key === "" ? null : row.key,
    title: marked(row.title || row.key || row.label, query),
    sessionId: row.scope === "" ? null : row.scope,
    snippet: snippetOf(row, query),
  }));
}

/** From the text; from the description when only that has words of the query. */
function snippetOf({ content, description }: DocumentRow, query: SearchQuery): Snippet {
  const ofText = snippet(content ?? "", query);
  if (ofText.marks.length > 0 || !description) return ofText;
  const ofDescription = snippet(description, query);
  return ofDescription.marks.length > 0 ? ofDescription : ofText;
}
