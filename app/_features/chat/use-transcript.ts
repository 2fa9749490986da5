"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { type PathTarget, readFollowing, readPage } from "./transcript-pages";
import {
  appendNewer,
  cutAfter,
  emptyWindow,
  mergeNewest,
  openWindow,
  openWindowAround,
  prependOlder,
  type TranscriptWindow,
} from "./transcript-window";

export interface TranscriptStart {
  /** Leaf of the link. */
  readonly leaf: string | null;
  /** Sent by the server with the page. */
  readonly page: TranscriptWire | null;
  /** The caller opens the first view, such as the surroundings of a search hit. */
  readonly isElsewhere: boolean;
  /** The first message is not stored yet. */
  readonly isNew: boolean;
}

export interface Transcript {
  readonly window: TranscriptWindow;
  readonly status: "loading" | "ready" | "missing" | "failed";
  readonly error: Error | null;
  /** The window just grew at its start, so the view must keep its place. */
  readonly grewAtStart: boolean;
  readonly retry: () => void;
  /** The current window, for callbacks after an await. */
  readonly current: () => TranscriptWindow;
  /** Applies a pure change, and sets the path a later refetch follows. */
  readonly change: (next: Change, target?: PathTarget) => TranscriptWindow;
  /** Switches paths with loading and error states, as on page load. */
  readonly begin: (target: PathTarget) => void;
  readonly open: (target: PathTarget) => Promise<TranscriptWindow>;
  /** Shows the path through a sibling, keeping everything above it. */
  readonly openSibling: (siblingId: string, parentId: string | null) => Promise<TranscriptWindow>;
  /** Shows the surroundings of a message; its summary expands to the originals if needed. */
  readonly openAround: (messageId: string) => Promise<TranscriptWindow>;
  readonly showStart: () => void;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  readonly refresh: () => Promise<void>;
}

/** `null` before the first message; `undefined` while unknown. */
export function shownLeaf({ status, window }: Pick<Transcript, "status" | "window">) {
  return status === "ready" ? window.leafId : undefined;
}

type Change = (window: TranscriptWindow) => TranscriptWindow;

interface Shown {
  readonly window: TranscriptWindow;
  readonly grewAtStart: boolean;
}

/** The loaded part of a session's current path, kept current. */
export function useTranscript(sessionId: string, start: TranscriptStart): Transcript {
  const client = useQueryClient();
  const [target, setTarget] = useState<PathTarget>(() => firstPath(start));
  const [shown, setShown] = useState<Shown | null>(() => firstShown(start));
  const latest = useRef<TranscriptWindow>(shown?.window ?? emptyWindow);
  const atTarget = useRef(target);
  const firstTarget = useRef(target);
  const keyOf = (path: PathTarget) => [...queryKeys.transcripts(sessionId), path];

  const newest = useQuery({
    queryKey: keyOf(target),
    queryFn: ({ signal }) => readPage(sessionId, target, {}, signal),
    enabled: !target.atStart,
    // After back navigation the browser restores an old page, so its data is shown and read again.
    ...(start.page && target === firstTarget.current
      ? { initialData: start.page, initialDataUpdatedAt: 0 }
      : {}),
  });

  const show = useCallback((window: TranscriptWindow, grewAtStart = false) => {
    latest.current = window;
    setShown({ window, grewAtStart });
    return window;
  }, []);

  const begin = (path: PathTarget) => {
    atTarget.current = path;
    setTarget(path);
  };
  const follow = (path: PathTarget, page: TranscriptWire) => {
    client.setQueryData(keyOf(path), page);
    begin(path);
  };

  const { data, dataUpdatedAt, error } = newest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an unchanged answer must be merged too, what is shown may have moved on
  useEffect(() => {
    if (data) show(mergeNewest(latest.current, data));
  }, [data, dataUpdatedAt, show]);

  // A link to a deleted message opens the session's active leaf.
  const isGone = error instanceof ApiError && error.status === 404;
  const hasOtherPath = target.leaf !== undefined || target.under !== undefined;
  useEffect(() => {
    if (isGone && hasOtherPath) setTarget({});
  }, [isGone, hasOtherPath]);

  const guard = useRef({ older: false, newer: false });

  return {
    window: shown?.window ?? emptyWindow,
    grewAtStart: shown?.grewAtStart ?? false,
    status: statusOf(shown !== null, error && !(isGone && hasOtherPath) ? error : null),
    error,
    retry: () => void newest.refetch(),
    current: () => latest.current,
    change(next, path) {
      const window = show(next(latest.current));
      if (path) follow(path, pageOf(window));
      return window;
    },
    begin,
    async open(path) {
      const page = await readPage(sessionId, path);
      follow(path, page);
      return show(openWindow(page));
    },
    async openSibling(siblingId, parentId) {
      const page = await readPage(sessionId, { under: siblingId });
      const path: PathTarget = page.leafId === null ? {} : { under: page.leafId };
      const kept = cutAfter(latest.current, parentId);
      follow(path, page);
      if (parentId === null || kept === latest.current || holds(page, siblingId)) {
        return show(mergeNewest(kept, page));
      }
      // The branch is longer than a page: show its start, not its end.
      const position = kept.entries.at(-1)?.position ?? 0;
      const below = await readFollowing(sessionId, exactly(openWindow(page), path), position);
      return show({
        ...appendNewer(kept, below),
        leafId: page.leafId,
        runs: page.runs,
        summaries: page.summaries,
      });
    },
    async openAround(messageId) {
      const { window, path, page } = await readAround(sessionId, messageId);
      follow(path, page);
      return show(window);
    },
    showStart() {
      begin({ atStart: true });
      const { runs, summaries } = latest.current;
      show({ ...emptyWindow, runs, summaries });
    },
    async loadOlder() {
      const first = latest.current.entries[0];
      if (!first || !latest.current.hasOlder || guard.current.older) return;
      guard.current.older = true;
      try {
        const path = exactly(latest.current, atTarget.current);
        const page = await readPage(sessionId, path, { before: first.position });
        if (latest.current.entries[0] === first) show(prependOlder(latest.current, page), true);
      } finally {
        guard.current.older = false;
      }
    },
    async loadNewer() {
      const last = latest.current.entries.at(-1);
      if (!last || !latest.current.hasNewer || guard.current.newer) return;
      guard.current.newer = true;
      try {
        const path = exactly(latest.current, atTarget.current);
        const page = await readFollowing(sessionId, path, last.position);
        if (latest.current.entries.at(-1) === last) show(appendNewer(latest.current, page));
      } finally {
        guard.current.newer = false;
      }
    },
    refresh: () => client.invalidateQueries({ queryKey: queryKeys.transcripts(sessionId) }),
  };
}

function firstPath({ leaf, isElsewhere, isNew }: TranscriptStart): PathTarget {
  if (isElsewhere || isNew) return { atStart: true };
  return leaf === null ? {} : { leaf };
}

function firstShown({ page, isNew }: TranscriptStart): Shown | null {
  if (isNew) return { window: emptyWindow, grewAtStart: false };
  return page && { window: openWindow(page), grewAtStart: false };
}

function statusOf(isShown: boolean, error: Error | null): Transcript["status"] {
  if (error instanceof ApiError && error.status === 404) return "missing";
  if (isShown) return "ready";
  return error ? "failed" : "loading";
}

function pageOf(window: TranscriptWindow): TranscriptWire {
  return {
    entries: [...window.entries],
    leafId: window.leafId,
    hasMore: window.hasOlder,
    runs: [...window.runs],
    summaries: [...window.summaries],
  };
}

function exactly(window: TranscriptWindow, target: PathTarget): PathTarget {
  return {
    ...(window.leafId !== null && { leaf: window.leafId }),
    ...(target.withOriginals && { withOriginals: true }),
  };
}

interface Around {
  readonly window: TranscriptWindow;
  readonly path: PathTarget;
  readonly page: TranscriptWire;
}

async function readAround(sessionId: string, messageId: string): Promise<Around> {
  const page = await readPage(sessionId, { under: messageId });
  const path: PathTarget = page.leafId === null ? {} : { leaf: page.leafId };
  if (holds(page, messageId)) return { window: openWindow(page), path, page };
  const itself = await readPage(sessionId, { leaf: messageId }, { limit: 1 });
  const position = itself.entries.at(-1)?.position ?? 0;
  const window = await readMiddle(sessionId, path, position);
  if (window.entries.some(({ message }) => message.id === messageId)) return { window, path, page };
  const original: PathTarget = { ...path, withOriginals: true };
  const [originals, newest] = await Promise.all([
    readMiddle(sessionId, original, position),
    readPage(sessionId, original),
  ]);
  return { window: originals, path: original, page: newest };
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

function holds(page: TranscriptWire, messageId: string): boolean {
  return page.entries.some(({ message }) => message.id === messageId);
}
