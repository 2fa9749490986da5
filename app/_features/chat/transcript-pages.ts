import { api } from "@/app/_api/api";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { openWindow, openWindowAround, type TranscriptWindow } from "./transcript-window";

const PAGE_SIZE = 50;

export interface PathTarget {
  readonly leaf?: string;
  readonly under?: string;
  readonly withOriginals?: boolean;
  /** The empty path before the first message. */
  readonly atStart?: boolean;
}

export interface PageRange {
  readonly before?: number;
  readonly after?: number;
  readonly limit?: number;
}

export function readPage(
  sessionId: string,
  target: PathTarget,
  range: PageRange = {},
  signal?: AbortSignal,
): Promise<TranscriptWire> {
  const query = {
    leaf: target.leaf,
    under: target.under,
    overlays: target.withOriginals ? 0 : undefined,
    before: range.before,
    after: range.after,
    limit: range.limit ?? PAGE_SIZE,
  };
  return api("GET /api/sessions/:sessionId/transcript", { params: { sessionId }, query, signal });
}

// Positions increase by one except over deleted or summarized messages, so a range may be empty.
const STRETCHES = [60, 1_200, 24_000] as const;
const LARGEST_PAGE = 200;

/** The server only pages towards the root: a range of positions bounds the number of entries. */
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

export function exactPath(leafId: string | null, target: PathTarget): PathTarget {
  return {
    ...(leafId !== null && { leaf: leafId }),
    ...(target.withOriginals && { withOriginals: true }),
  };
}

export async function readAround(
  sessionId: string,
  messageId: string,
): Promise<{ readonly window: TranscriptWindow; readonly path: PathTarget }> {
  const page = await readPage(sessionId, { under: messageId });
  const path = exactPath(page.leafId, {});
  const newest = openWindow(page);
  if (holds(newest, messageId)) return { window: newest, path };
  const itself = await readPage(sessionId, { leaf: messageId }, { limit: 1 });
  const position = itself.entries.at(-1)?.position ?? 0;
  const window = await readMiddle(sessionId, path, position);
  if (holds(window, messageId)) return { window, path };
  const originals: PathTarget = { ...path, withOriginals: true };
  return { window: await readMiddle(sessionId, originals, position), path: originals };
}

async function readMiddle(
  sessionId: string,
  path: PathTarget,
  position: number,
): Promise<TranscriptWindow> {
  const [upTo, following] = await Promise.all([
    readPage(sessionId, path, { before: position + 1, limit: 25 }),
    readFollowing(sessionId, path, position),
  ]);
  return openWindowAround(upTo, following);
}

function holds({ entries }: TranscriptWindow, messageId: string): boolean {
  return entries.some(({ message }) => message.id === messageId);
}
