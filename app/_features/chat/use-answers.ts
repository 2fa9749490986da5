"use client";

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { ApiError, isPassing } from "@/app/_api/api-error";
import { choicesSettled } from "@/app/_api/choices-under-way";
import { tabId } from "@/app/_api/page-person";
import { useServerEvent } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { backoffMs, pause } from "@/app/_data/chat/backoff";
import type { TranscriptActions } from "@/app/_message/chat-session-context";
import type {
  EntryWire,
  GroveMessage,
  RunWire,
  SiblingsWire,
  StartRunRequest,
  TranscriptWire,
} from "@/lib/chat/wire/messages";
import { answerToRetry } from "./queued-messages";
import { readPage } from "./transcript-pages";
import { togetherAtEnd } from "./transcript-rows";
import {
  type LoadedTranscript,
  mergeNewest,
  runAtEnd,
  runsAtEnd,
  withoutRun,
  withRun,
  withRunElsewhere,
} from "./transcript-window";
import type { PathMovesOptions } from "./use-path-moves";

export interface Answers extends Pick<TranscriptActions, "answer" | "settle"> {
  readonly answeringId: string | null;
  readonly stoppingId: string | null;
  readonly runSiblings: ReadonlyMap<string, SiblingsWire>;
  readonly stop: (answerId: string) => void;
}

export interface AnswersOptions extends PathMovesOptions {
  readonly onRetry: (answerId: string, by: string) => void;
}

export function useAnswers(options: AnswersOptions): Answers {
  const { sessionId, transcript } = options;
  const { window } = transcript;
  // Runs of this tab, and whether they ended: an answer can end before the request for it returns, and a reread drops it.
  const asked = useRef(new Map<string, RunWire>());
  const ended = useRef(new Set<string>());
  const settling = useRef(new Map<string, Promise<void>>());
  // Its row and an event both say that a run has ended.
  const settle = (runId: string) => {
    const underWay =
      settling.current.get(runId) ??
      settleRun(runId, { ...options, asked }).finally(() => settling.current.delete(runId));
    settling.current.set(runId, underWay);
    return underWay;
  };
  const tabRuns = { asked, ended, settle };
  useRunEvents(options, tabRuns);
  const [stoppingId, stop] = useStopping(sessionId, window);
  const { askedId, ...asking } = useAsking(options, tabRuns);
  return {
    answeringId: runAtEnd(window)?.messageId ?? askedId,
    stoppingId,
    stop,
    settle,
    ...asking,
  };
}

interface TabRuns {
  readonly asked: RefObject<Map<string, RunWire>>;
  readonly ended: RefObject<Set<string>>;
  readonly settle: (runId: string) => Promise<void>;
}

async function settleRun(
  runId: string,
  { transcript, url, asked }: PathMovesOptions & Pick<TabRuns, "asked">,
): Promise<void> {
  const own = asked.current.get(runId);
  const settled = transcript.window.runs.find(({ id }) => id === runId) ?? own;
  if (!settled) return;
  const several = togetherAtEnd(transcript.current())?.asked ?? [];
  if (several.some(({ answerId }) => answerId === settled.messageId)) {
    asked.current.delete(runId);
    transcript.change((shown) => withoutRun(shown, runId), {});
    if (location.search !== "") url.replaceLeaf(null);
    return transcript.refresh();
  }
  const stored = await readStoredAnswer(settled);
  // A reader who has switched branches must not be moved back.
  const shown = transcript.current();
  const isAtEnd = !shown.hasNewer && runsAtEnd(shown).some(({ id }) => id === runId);
  const isInView = isAtEnd || (own && shown.leafId === own.parentId);
  asked.current.delete(runId);
  if (!stored || !isInView) {
    transcript.change((shown) => withoutRun(shown, runId));
    await transcript.refresh();
    return;
  }
  transcript.change((shown) => mergeNewest(shown, stored), { under: settled.messageId });
  if (location.search !== "") url.replaceLeaf(settled.messageId);
}

function useRunEvents(
  { sessionId, transcript }: PathMovesOptions,
  { asked, ended, settle }: TabRuns,
): void {
  useServerEvent((event) => {
    if (!("sessionId" in event) || event.sessionId !== sessionId) return;
    // The tab that deleted it would ask for what is gone.
    if (event.type === "session-removed" && event.origin !== tabId) void transcript.refresh();
    if (event.type === "run-started") {
      transcript.change((shown) => withRunElsewhere(shown, event.run));
    }
    if (event.type === "run-finished") {
      ended.current.add(event.runId);
      const isAtEnd = runsAtEnd(transcript.window).some(({ id }) => id === event.runId);
      if (isAtEnd || asked.current.has(event.runId)) void settle(event.runId);
      else transcript.change((shown) => withoutRun(shown, event.runId));
    }
  });
}

function useStopping(sessionId: string, window: LoadedTranscript) {
  const [stoppingId, setStoppingId] = useState<string | null>(null);
  const stopWritten = useEffectEvent(async () => {
    try {
      await Promise.all(runsAtEnd(window).map(({ id }) => stopRun(sessionId, id)));
    } catch (error) {
      setStoppingId(null);
      toastError(error);
    }
  });
  const isToStop = runsAtEnd(window).some(({ messageId }) => messageId === stoppingId);
  useEffect(() => {
    if (isToStop) void stopWritten();
  }, [isToStop]);
  return [stoppingId, setStoppingId] as const;
}

interface AnswerRequest extends Pick<Answers, "runSiblings" | "answer"> {
  readonly askedId: string | null;
}

function useAsking(
  { sessionId, transcript, url, onRetry }: AnswersOptions,
  { asked, ended, settle }: TabRuns,
): AnswerRequest {
  const [runSiblings, setRunSiblings] = useState<ReadonlyMap<string, SiblingsWire>>(new Map());
  const [askedId, setAskedId] = useState<string | null>(null);
  const { window } = transcript;
  return {
    askedId,
    runSiblings,
    async answer(parentId, model, { replaces, continues } = {}) {
      const answerId = crypto.randomUUID();
      if (continues) beginsWith(answerId, continues);
      setAskedId(answerId);
      try {
        // The question's address would lack the answer once it is stored.
        url.pushLeaf(replaces ? parentId : answerId, window.leafId);
        const failedId = answerToRetry(window, parentId);
        const started = await startRun(sessionId, {
          answerId,
          parentId,
          ...(model && { model }),
          ...(replaces && { replaces }),
          ...(continues && { continues: continues.id }),
        });
        if (failedId !== null) onRetry(failedId, started.messageId);
        const siblings = siblingsOfNext(window.entries, parentId);
        if (siblings) setRunSiblings((known) => new Map(known).set(started.id, siblings));
        asked.current.set(started.id, started);
        transcript.change((shown) => withRun(shown, started), { leaf: parentId });
        if (replaces) await transcript.refresh();
        if (ended.current.has(started.id)) await settle(started.id);
      } finally {
        setAskedId(null);
      }
    },
  };
}

export function stopRun(sessionId: string, runId: string) {
  return api("POST /api/sessions/:sessionId/runs/:runId/stop", { params: { sessionId, runId } });
}

function siblingsOfNext(entries: readonly EntryWire[], parentId: string): SiblingsWire | null {
  const index = entries.findIndex(({ message }) => message.id === parentId);
  const present = entries[index + 1];
  if (index === -1 || !present) return null;
  const { count } = present.siblings;
  return { index: count, count: count + 1, previousId: present.message.id, nextId: null };
}

const START_ATTEMPTS = 4;

/** Retries with one `answerId` never give two answers. */
async function startRun(sessionId: string, request: StartRunRequest): Promise<RunWire> {
  await choicesSettled();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const params = { sessionId };
      return (await api("POST /api/sessions/:sessionId/runs", { params, body: request })).run;
    } catch (error) {
      if (!isPassing(error) || attempt === START_ATTEMPTS) throw error;
      await pause(backoffMs(attempt));
    }
  }
}

const READ_ATTEMPTS = 6;

/** `null`: the answer stays missing. Its last chunk can arrive before its row is committed, so several reads try. */
async function readStoredAnswer(run: RunWire): Promise<TranscriptWire | null> {
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt += 1) {
    try {
      return await readPage(run.sessionId, { under: run.messageId });
    } catch (error) {
      const mayCome = error instanceof ApiError && (error.status === 404 || error.status === 0);
      if (!mayCome) return null;
    }
    await pause(backoffMs(attempt));
  }
  return null;
}

const mostBegun = 20;
const begun = new Map<string, GroveMessage>();

/** A continued answer shows its kept text until its stream brings that, too. */
function beginsWith(answerId: string, kept: GroveMessage): void {
  begun.set(answerId, { ...kept, id: answerId });
  const [oldest] = begun.keys();
  if (begun.size > mostBegun && oldest !== undefined) begun.delete(oldest);
}

export function beginningOf(answerId: string): GroveMessage | null {
  return begun.get(answerId) ?? null;
}
