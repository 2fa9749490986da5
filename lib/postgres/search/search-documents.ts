import { and, asc, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { marked, snippet, toTsquery } from "../../session/internal";
import type { SearchQuery, Snippet } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { drizzleOn } from "../drizzle-on";
import { isOfLiveSession } from "../live-session";
import type { DocumentRow } from "../memory/documents";
import { chatBlock, chatDocument } from "../schema";

export interface DocumentHit {
  readonly blockId: string;
  readonly label: string;
  readonly key: string | null;
  readonly title: Snippet;
  /** `null` for every session. */
  readonly sessionId: string | null;
  readonly snippet: Snippet;
}

/** Best first. `before` and `after` compare the last change. A query with a role, tag or program finds none. */
export async function searchAllDocuments(
  pool: Sql,
  ownerId: string,
  query: SearchQuery,
  { limit }: { limit: number },
): Promise<DocumentHit[]> {
  const words = toTsquery(query);
  const { role, tag, program } = query;
  if (words === null || [role, tag, program].some((filter) => filter !== undefined)) return [];
  const rows = await searchDocuments(pool, {
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

function snippetOf({ content, description }: DocumentRow, query: SearchQuery): Snippet {
  const ofText = snippet(content ?? "", query);
  if (ofText.marks.length > 0 || !description) return ofText;
  const ofDescription = snippet(description, query);
  return ofDescription.marks.length > 0 ? ofDescription : ofText;
}

interface DocumentSearch {
  readonly ownerId: string;
  readonly sessionId: string | null;
  readonly words: string;
  /** The last change: `after <= updated_at < before`. */
  readonly before: Date | null;
  readonly after: Date | null;
  readonly limit: number;
}

function searchDocuments(pool: Sql, search: DocumentSearch) {
  const { ownerId, sessionId, words, before, after, limit } = search;
  const block = alias(chatBlock, "block");
  const isOfBlock = and(
    eq(block.ownerId, chatDocument.ownerId),
    eq(block.blockId, chatDocument.blockId),
    sql`${block.sessionId} in ('', ${chatDocument.sessionId})`,
    isNull(block.deletedAt),
  );
  return drizzleOn(pool)
    .select({ document: chatDocument, label: block.label })
    .from(chatDocument)
    .innerJoin(block, isOfBlock)
    .where(
      and(
        eq(chatDocument.ownerId, ownerId),
        isNotNull(chatDocument.content),
        isOfLiveSession(chatDocument.ownerId, chatDocument.sessionId),
        sql`${chatDocument.tsv} @@ ${words}::tsquery`,
        sessionId === null ? undefined : eq(chatDocument.sessionId, sessionId),
        before === null ? undefined : sql`${chatDocument.updatedAt} < ${before.toISOString()}`,
        after === null ? undefined : sql`${chatDocument.updatedAt} >= ${after.toISOString()}`,
      ),
    )
    .orderBy(
      desc(sql`ts_rank(${chatDocument.tsv}, ${words}::tsquery)`),
      asc(chatDocument.sessionId),
      asc(block.label),
      asc(chatDocument.key),
    )
    .limit(limit);
}
