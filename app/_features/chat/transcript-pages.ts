import { apiGet, apiPath, withQuery } from "@/app/_api/api";
import type { TranscriptWire } from "@/lib/chat/wire/messages";

const PAGE_SIZE = 50;

/** Which path is read: to `leaf` exactly, to the leaf last used under `under`, or to the session's active leaf. */
export interface PathTarget {
  readonly leaf?: string;
  readonly under?: string;
  /** Shows the messages themselves where summaries stand for them. */
  readonly withOriginals?: boolean;
  /** The empty path before the first message; there is nothing to read. */
  readonly atStart?: boolean;
}

export interface PageRange {
  /** Only entries before this position, the nearest ones. */
  readonly before?: number;
  /** Only entries after this position. */
  readonly after?: number;
  readonly limit?: number;
}

/** Reads one page of a path: the newest entries, or those next to a message. */
export function readPage(
  sessionId: string,
  target: PathTarget,
  range: PageRange = {},
  signal?: AbortSignal,
): Promise<TranscriptWire> {
  const path = withQuery(apiPath`/api/sessions/${sessionId}/transcript`, {
    leaf: target.leaf,
    under: target.under,
    overlays: target.withOriginals ? 0 : undefined,
    before: range.before,
    after: range.after,
    limit: range.limit ?? PAGE_SIZE,
  });
  return apiGet<TranscriptWire>(path, signal);
}

// Positions grow by one, except over what was deleted or summarized, so a stretch may come back empty.
const STRETCHES = [60, 1_200, 24_000] as const;
const LARGEST_PAGE = 200;

/**
 * Reads the entries that follow `position`, where the server only reads towards the root: a stretch of positions holds
 * at most as many entries. `hasMore` says whether the path goes on after them.
 */
export async function readFollowing(
  sessionId: string,
  target: PathTarget,
  position: number,
): Promise<TranscriptWire> {
  for (const stretch of STRETCHES) {
    const page = await readPage(sessionId, target, {
      after: position,
      before: position + stretch,
      limit: LARGEST_PAGE,
    });
    const isWhole = !page.hasMore && page.entries.length > 0;
    if (isWhole) return { ...page, hasMore: !endsAtLeaf(page) };
  }
  const page = await readPage(sessionId, target, { after: position, limit: LARGEST_PAGE });
  return { ...page, hasMore: false };
}

function endsAtLeaf({ entries, leafId }: TranscriptWire): boolean {
  const last = entries.at(-1);
  return last?.message.id === leafId || last?.compaction?.toMessageId === leafId;
}
