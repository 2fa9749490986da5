import { api } from "@/app/_api/api";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { type LoadedTranscript, openWindow, openWindowAround } from "./transcript-window";

const PAGE_SIZE = 50;

export interface PathTarget {
  readonly leaf?: string;
  readonly under?: string;
  readonly withOriginals?: boolean;
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
    oldest: range.after === undefined ? undefined : 1,
    limit: range.limit ?? PAGE_SIZE,
  };
  return api("GET /api/sessions/:sessionId/transcript", { params: { sessionId }, query, signal });
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
): Promise<{ readonly window: LoadedTranscript; readonly path: PathTarget }> {
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
): Promise<LoadedTranscript> {
  const [upTo, following] = await Promise.all([
    readPage(sessionId, path, { before: position + 1, limit: 25 }),
    readPage(sessionId, path, { after: position }),
  ]);
  return openWindowAround(upTo, following);
}

function holds({ entries }: LoadedTranscript, messageId: string): boolean {
  return entries.some(({ message }) => message.id === messageId);
}
