"use client";

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ApiError, isPassing } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { backoffMs, pause } from "@/app/_data/chat/backoff";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { exactPath, type PathTarget, readAround, readPage } from "./transcript-pages";
import {
  appendNewer,
  cutAfter,
  emptyWindow,
  type LoadedTranscript,
  mergeNewest,
  openWindow,
  prependOlder,
} from "./transcript-window";

export interface TranscriptStart {
  readonly leaf: string | null;
  readonly page: TranscriptWire | null;
  readonly isElsewhere: boolean;
  readonly isNew: boolean;
}

export interface Transcript extends Omit<TranscriptCache, "key" | "reread"> {
  readonly window: LoadedTranscript;
  readonly status: "loading" | "ready" | "missing" | "failed";
  readonly error: Error | null;
  readonly grewAtStart: boolean;
}

export function shownLeaf({ status, window }: Pick<Transcript, "status" | "window">) {
  return status === "ready" ? window.leafId : undefined;
}

export function useTranscript(sessionId: string, start: TranscriptStart): Transcript {
  const client = useQueryClient();
  const pageId = useId();
  const [cache] = useState(() => transcriptCache(client, { sessionId, pageId }));
  const { key, reread, ...methods } = cache;
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => reread(signal),
    enabled: ({ state }) => !state.data?.path.atStart,
    initialData: () => firstCached(start),
    // The browser's Back brings an old page, and events are followed only from now on.
    initialDataUpdatedAt: 0,
    structuralSharing: false,
  });
  return {
    ...methods,
    window: data.window ?? emptyWindow,
    grewAtStart: data.grewAtStart,
    status: statusOf(data.window !== null, error),
    error,
  };
}

function firstCached({ leaf, page, isElsewhere, isNew }: TranscriptStart): CachedTranscript {
  const isAtStart = isElsewhere || isNew;
  return {
    path: isAtStart ? { atStart: true } : leaf === null ? {} : { leaf },
    window: isNew ? emptyWindow : page && openWindow(page),
    grewAtStart: false,
  };
}

function statusOf(isShown: boolean, error: Error | null): Transcript["status"] {
  if (error instanceof ApiError && error.status === 404) return "missing";
  if (isShown) return "ready";
  return error ? "failed" : "loading";
}

interface CachedTranscript {
  readonly path: PathTarget;
  readonly window: LoadedTranscript | null;
  readonly grewAtStart: boolean;
}

/** Pages, events and moves all change the entry under `key`. */
interface TranscriptCache {
  readonly key: readonly unknown[];
  readonly reread: (signal: AbortSignal) => Promise<CachedTranscript>;
  readonly current: () => LoadedTranscript;
  readonly change: (
    next: (window: LoadedTranscript) => LoadedTranscript,
    path?: PathTarget,
  ) => LoadedTranscript;
  readonly begin: (path: PathTarget) => void;
  readonly open: (path: PathTarget) => Promise<LoadedTranscript>;
  readonly openSibling: (siblingId: string, parentId: string | null) => Promise<LoadedTranscript>;
  readonly openAround: (messageId: string) => Promise<LoadedTranscript>;
  readonly showStart: () => void;
  /**
   * Returns the path from its first to its last message, each summary before the messages it covers, and leaves what is
   * shown as it is.
   */
  readonly readWhole: () => Promise<LoadedTranscript>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly refresh: () => Promise<void>;
}

const nothing: CachedTranscript = { path: {}, window: null, grewAtStart: false };

interface TranscriptCacheOptions {
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

  function show(window: LoadedTranscript, change: Partial<CachedTranscript> = {}) {
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
    async readWhole() {
      const path = exactPath(current().leafId, {});
      const summarized = await readAll(sessionId, path);
      const seams = summarized.entries.filter(({ compaction }) => compaction);
      if (seams.length === 0) return summarized;
      const whole = await readAll(sessionId, { ...path, withOriginals: true });
      const entries = [...seams, ...whole.entries].sort(
        (one, other) => one.position - other.position,
      );
      return { ...whole, entries };
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
      const page = await readPage(sessionId, path, { after: last.position });
      const shown = current();
      if (shown.entries.at(-1)?.message.id === last.message.id) show(appendNewer(shown, page));
    }),
  };
}

const loadAttempts = 4;

/** Skips calls during a running one; retries transient failures, as a reader at an end cannot scroll again. */
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

const mostRead = 200;

async function readAll(sessionId: string, path: PathTarget): Promise<LoadedTranscript> {
  let whole = openWindow(await readPage(sessionId, path, { limit: mostRead }));
  for (let [first] = whole.entries; first && whole.hasOlder; [first] = whole.entries) {
    const range = { before: first.position, limit: mostRead };
    whole = prependOlder(whole, await readPage(sessionId, path, range));
  }
  return whole;
}

async function readBelow(
  sessionId: string,
  kept: LoadedTranscript,
  newest: TranscriptWire,
): Promise<LoadedTranscript> {
  const { leafId, runs, summaries } = openWindow(newest);
  const position = kept.entries.at(-1)?.position ?? 0;
  const below = await readPage(sessionId, exactPath(leafId, {}), { after: position });
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
