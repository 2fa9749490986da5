import { apiGet, apiPath, withQuery } from "@/app/_api/api";
import type { TranscriptWire } from "@/lib/chat/wire/messages";

const PAGE_SIZE = 50;

/** The path to `leaf`, to the last used leaf below `under`, or to the active leaf. */
export interface PathTarget {
  readonly leaf?: string;
  readonly under?: string;
  /** Shows messages instead of their summaries. */
  readonly withOriginals?: boolean;
  /** The empty path before the first message. */
  readonly atStart?: boolean;
}

export interface PageRange {
  /** Entries nearest before this position. */
  readonly before?: number;
  /** Entries after this position. */
  readonly after?: number;
  readonly limit?: number;
}

/** Reads the newest entries of a path, or those next to a message. */
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

// Positions increase by one except over deleted or summarized messages, so a range may be empty.
const STRETCHES = [60, 1_200, 24_000] as const;
const LARGEST_PAGE = 200;

/**
 * Reads the entries after `position`, where the server only pages towards the root: a range of positions bounds their
 * number. `hasMore` tells if the path continues.
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
