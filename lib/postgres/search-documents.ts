import type { Sql } from "postgres";
import {
  marked,
  parseQuery,
  type SearchQuery,
  type Snippet,
  snippet,
  toTsquery,
} from "@/lib/session";
import { type DocumentRow, searchDocuments } from "./queries/documents";

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

/** Blocks, knowledge and skills of an owner with the words of a search line, best first. */
export async function searchAllDocuments(
  sql: Sql,
  { ownerId, input, limit }: { ownerId: string; input: string; limit: number },
): Promise<DocumentHit[]> {
  const query = parseQuery(input);
  const words = toTsquery(query);
  if (words === null) return [];
  const rows = await searchDocuments(sql, { owner: ownerId, words, limit });
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
