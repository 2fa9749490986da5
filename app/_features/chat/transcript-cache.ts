import type { QueryClient } from "@tanstack/react-query";
import { ApiError, isPassing } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { backoffMs, pause } from "@/app/_data/chat/backoff";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import {
  exactPath,
  type PathTarget,
  readAround,
  readFollowing,
  readPage,
} from "./transcript-pages";
import {
  appendNewer,
  cutAfter,
  emptyWindow,
  mergeNewest,
  openWindow,
  prependOlder,
  type TranscriptWindow,
} from "./transcript-window";

export interface CachedTranscript {
  readonly path: PathTarget;
  /** `null` until the first page is read. */
  readonly window: TranscriptWindow | null;
  /** The window grew at its start, so the view must keep its place. */
  readonly grewAtStart: boolean;
}

/**
 * The transcript of one page of a session, kept only in the query cache: pages, events and moves all change the entry
 * under `key`.
 */
export interface TranscriptCache {
  readonly key: readonly unknown[];
  /** Answers a refetch: the newest page, merged into the window. */
  readonly reread: (signal: AbortSignal) => Promise<CachedTranscript>;
  readonly current: () => TranscriptWindow;
  /** Also sets the path a later refetch follows. */
  readonly change: (
    next: (window: TranscriptWindow) => TranscriptWindow,
    path?: PathTarget,
  ) => TranscriptWindow;
  readonly begin: (path: PathTarget) => void;
  readonly open: (path: PathTarget) => Promise<TranscriptWindow>;
  /** Keeps everything above the sibling. */
  readonly openSibling: (siblingId: string, parentId: string | null) => Promise<TranscriptWindow>;
  /** Its summary expands to the originals if needed. */
  readonly openAround: (messageId: string) => Promise<TranscriptWindow>;
  readonly showStart: () => void;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly refresh: () => Promise<void>;
}

const nothing: CachedTranscript = { path: {}, window: null, grewAtStart: false };

export interface TranscriptCacheOptions {
  readonly sessionId: string;
  readonly pageId: string;
}

export function transcriptCache(
  client: QueryClient,
  { sessionId, pageId }: TranscriptCacheOptions,
): TranscriptCache {
  const key = queryKeys.transcript(sessionId, pageId);
  const cached = () => client.getQueryData<CachedTranscript>(key) ?? nothing;
  const current = () => cached().window ?? emptyWindow;
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.transcripts(sessionId) });

  function show(window: TranscriptWindow, change: Partial<CachedTranscript> = {}) {
    client.setQueryData<CachedTranscript>(key, {
      path: cached().path,
      grewAtStart: false,
      ...change,
      window,
    });
    return window;
  }

  return {
    key,
    current,
    refresh,
    async reread(signal) {
      const { path } = cached();
      const found = await readExisting(sessionId, path, signal);
      // The path was left meanwhile.
      if (cached().path !== path) return cached();
      const window = mergeNewest(current(), found.page);
      return { path: found.path, window, grewAtStart: false };
    },
    change: (next, path) => show(next(current()), path && { path }),
    begin(path) {
      client.setQueryData<CachedTranscript>(key, { ...cached(), path, grewAtStart: false });
      void client.invalidateQueries({ queryKey: key });
    },
    async open(path) {
      return show(openWindow(await readPage(sessionId, path)), { path });
    },
    async openSibling(siblingId, parentId) {
      const page = await readPage(sessionId, { under: siblingId });
      const path: PathTarget = page.leafId === null ? {} : { under: page.leafId };
      const shown = current();
      const kept = cutAfter(shown, parentId);
      if (parentId === null || kept === shown || holds(page, siblingId)) {
        return show(mergeNewest(kept, page), { path });
      }
      return show(await readBelow(sessionId, kept, page), { path });
    },
    async openAround(messageId) {
      const { window, path } = await readAround(sessionId, messageId);
      return show(window, { path });
    },
    showStart() {
      const { runs, summaries } = current();
      show({ ...emptyWindow, runs, summaries }, { path: { atStart: true } });
    },
    loadOlder: oneAtATime(async () => {
      const { entries, hasOlder, leafId } = current();
      const [first] = entries;
      if (!first || !hasOlder) return;
      const path = exactPath(leafId, cached().path);
      const page = await readPage(sessionId, path, { before: first.position });
      const shown = current();
      if (shown.entries[0]?.message.id === first.message.id) {
        show(prependOlder(shown, page), { grewAtStart: true });
      }
    }),
    loadNewer: oneAtATime(async () => {
      const { entries, hasNewer, leafId } = current();
      const last = entries.at(-1);
      if (!last || !hasNewer) return;
      const path = exactPath(leafId, cached().path);
      const page = await readFollowing(sessionId, path, last.position);
      const shown = current();
      if (shown.entries.at(-1)?.message.id === last.message.id) show(appendNewer(shown, page));
    }),
  };
}

const loadAttempts = 4;

/** Skips calls during a running one; retries what may pass, since a reader at an end can ask for nothing by scrolling. */
function oneAtATime(load: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await load();
        } catch (error) {
          if (!isPassing(error) || attempt === loadAttempts) throw error;
          await pause(backoffMs(attempt));
        }
      }
    } finally {
      isRunning = false;
    }
  };
}

/** Continues `kept` with the start of a branch that is longer than `newest`, the page at its end. */
async function readBelow(
  sessionId: string,
  kept: TranscriptWindow,
  newest: TranscriptWire,
): Promise<TranscriptWindow> {
  const { leafId, runs, summaries } = openWindow(newest);
  const position = kept.entries.at(-1)?.position ?? 0;
  const below = await readFollowing(sessionId, exactPath(leafId, {}), position);
  return { ...appendNewer(kept, below), leafId, runs, summaries };
}

/** A link to a deleted message opens the session's active leaf. */
async function readExisting(sessionId: string, path: PathTarget, signal: AbortSignal) {
  try {
    return { path, page: await readPage(sessionId, path, {}, signal) };
  } catch (error) {
    const isGone = error instanceof ApiError && error.status === 404;
    if (!isGone || (path.leaf === undefined && path.under === undefined)) throw error;
    return { path: {}, page: await readPage(sessionId, {}, {}, signal) };
  }
}

function holds(page: TranscriptWire, messageId: string): boolean {
  return page.entries.some(({ message }) => message.id === messageId);
}
