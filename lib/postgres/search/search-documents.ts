import type { Sql } from "postgres";
import { type DocumentRow, searchDocuments } from "@/lib/postgres/memory/documents";
import type { SearchQuery, Snippet } from "@/lib/session";
import { marked, snippet, toTsquery } from "@/lib/session/internal";

export interface DocumentHit {
  readonly blockId: string;
  readonly label: string;
  /** `null` for a block itself. */
  readonly key: string | null;
  readonly title: Snippet;
  /** `null` for every session. */
  readonly sessionId: string | null;
  readonly snippet: Snippet;
}

/**
 * Best first. `before` and `after` compare the last change. Documents have no role or tag, so a query with one finds
 * none.
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

/** From the description when only that matches. */
function snippetOf({ content, description }: DocumentRow, query: SearchQuery): Snippet {
  const ofText = snippet(content ?? "", query);
  if (ofText.marks.length > 0 || !description) return ofText;
  const ofDescription = snippet(description, query);
  return ofDescription.marks.length > 0 ? ofDescription : ofText;
}
