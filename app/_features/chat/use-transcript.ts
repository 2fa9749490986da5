"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ApiError } from "@/app/_api/api-error";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { type CachedTranscript, type TranscriptCache, transcriptCache } from "./transcript-cache";
import { emptyWindow, openWindow, type TranscriptWindow } from "./transcript-window";

export interface TranscriptStart {
  readonly leaf: string | null;
  readonly page: TranscriptWire | null;
  /** For example, to show the surroundings of a search hit. */
  readonly isElsewhere: boolean;
  readonly isNew: boolean;
}

export interface Transcript extends Omit<TranscriptCache, "key" | "reread"> {
  readonly window: TranscriptWindow;
  readonly status: "loading" | "ready" | "missing" | "failed";
  readonly error: Error | null;
  /** The window grew at its start, so the view must keep its place. */
  readonly grewAtStart: boolean;
}

/** `null` before the first message; `undefined` while unknown. */
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
    // The browser's Back brings a page as it was, and events are followed only from now on.
    initialDataUpdatedAt: 0,
    // The window keeps unchanged entries itself.
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
