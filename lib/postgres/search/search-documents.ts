import type { Sql } from "postgres";
import { type DocumentRow, searchDocuments } from "@/lib/postgres/memory/documents";
import { marked, type SearchQuery, type Snippet, snippet, toTsquery } from "@/lib/session";

/** A memory document that a search found. */
export interface DocumentHit {
  readonly blockId: string;
  readonly label: string;
  /** `null` for a block itself. */
  readonly key: string | null;
  readonly title: Snippet;
  /** The session it belongs to; `null` when it holds everywhere. */
  readonly sessionId: string | null;
  readonly snippet: Snippet;
}

/**
 * Blocks, knowledge and skills of an owner that match, best first. `before` and `after` compare the last change;
 * `sessionId` keeps one session's. Documents have neither role nor tag, so a query with one finds none.
 */
export async function searchAllDocuments(
  sql: Sql,
  ownerId: string,
  query: SearchQuery,
  { limit }: { limit: number },
): Promise<DocumentHit[]> {
  const words = toTsquery(query);
  if (words === null || query.role !== undefined || query.tag !== undefined) return [];
  const rows = await searchDocuments(sql, {
    ownerId,
    sessionId: query.sessionId ?? null,
    words,
    before: query.before ?? null,
    after: query.after ?? null,
    limit,
  });
  return rows.map(({ document, label }) => ({
    blockId: document.blockId,
    label,
    key: document.key === "" ? null : document.key,
    title: marked(document.title || document.key || label, query),
    sessionId: document.sessionId === "" ? null : document.sessionId,
    snippet: snippetOf(document, query),
  }));
}

/** From the text; from the description when only that has words of the query. */
function snippetOf({ content, description }: DocumentRow, query: SearchQuery): Snippet {
  const ofText = snippet(content ?? "", query);
  if (ofText.marks.length > 0 || !description) return ofText;
  const ofDescription = snippet(description, query);
  return ofDescription.marks.length > 0 ? ofDescription : ofText;
}
