"use client";

import { FoldVertical, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { RunReader } from "@/app/_data/chat/run-reader";
import { useCompacting } from "@/app/_data/compaction/use-compactions";
import { useModelName } from "@/app/_data/models/use-models";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { Button } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { ErrorNotice } from "@/app/_ui/notice";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { summarizing } from "./compaction-words";

export function PendingCompaction({ summary }: { summary: SummaryRunWire }) {
  return (
    <section aria-label="Writing summary" className="py-2">
      <div className="rounded-lg border border-accent/60 border-dashed bg-raised px-4 py-3">
        <p className="mb-2 flex items-center gap-2 font-medium text-sm">
          <FoldVertical aria-hidden className="size-4 shrink-0 text-accent" />
          {summary.status === "failed" || summary.status === "interrupted"
            ? "Summary failed"
            : `${summarizing(summary)} …`}
        </p>
        <SummaryInWriting summary={summary} />
      </div>
    </section>
  );
}

export function SummaryInWriting({ summary }: { summary: SummaryRunWire }) {
  const hasFailed = summary.status === "failed" || summary.status === "interrupted";
  return (
    <div className="flex flex-col gap-3">
      {hasFailed ? <FailedSummary summary={summary} /> : <Writing summary={summary} />}
    </div>
  );
}

function FailedSummary({ summary }: { summary: SummaryRunWire }) {
  const { sessionId, id, leafId, focus, replaces, isManual, problem, model } = summary;
  const nameOf = useModelName();
  const { refresh } = useTranscriptActions();
  const compact = useCompacting(sessionId);
  const readsOnly = useReadsOnly();
  const retry = () =>
    void compact({
      leafId,
      ...(focus !== null && { focus }),
      ...(replaces !== null && { replaces }),
    });

  async function putAside(): Promise<void> {
    try {
      await api("DELETE /api/sessions/:sessionId/runs/:runId", {
        params: { sessionId, runId: id },
      });
      refresh();
    } catch (error) {
      toastError(error);
    }
  }

  return (
    <>
      <ErrorNotice {...(isManual && !readsOnly && { onRetry: retry })}>
        {problem} Summarized with {nameOf(model)}.{" "}
        {replaces === null ? "Nothing changed." : "The summary is unchanged."}
        {!isManual && " Grove will retry as the chat grows."}
      </ErrorNotice>
      {!readsOnly && (
        <Button size="sm" variant="ghost" className="self-end" onClick={() => void putAside()}>
          Dismiss
        </Button>
      )}
    </>
  );
}

function Writing({ summary }: { summary: SummaryRunWire }) {
  const { sessionId, id, status, startedAt } = summary;
  const { refresh } = useTranscriptActions();
  const [text, setText] = useState("");
  const [isStopping, setIsStopping] = useState(false);

  async function stop(): Promise<void> {
    setIsStopping(true);
    try {
      await api("POST /api/sessions/:sessionId/runs/:runId/stop", {
        params: { sessionId, runId: id },
      });
    } catch (error) {
      setIsStopping(false);
      toastError(error);
    }
  }

  return (
    <>
      <div className="flex min-h-8 items-center gap-2">
        <WritingNote since={Date.parse(startedAt)} />
        <Writes>
          <Button
            size="sm"
            variant="ghost"
            busy={isStopping}
            disabled={status !== "running"}
            onClick={() => void stop()}
          >
            <Square aria-hidden />
            Stop
          </Button>
        </Writes>
      </div>
      <RunReader
        before={null}
        key={id}
        run={{ id, sessionId: summary.sessionId, part: 0 }}
        onMessage={(message) => setText(lastText(message))}
        onEnd={refresh}
      />
      <Text text={text} />
    </>
  );
}

/** Each piece of a long conversation restarts the summary. */
function lastText({ parts }: GroveMessage): string {
  const last = parts.findLast((part) => part.type === "text");
  return last?.text ?? "";
}

/** A fixed height keeps everything below in place. */
function Text({ text }: { text: string }) {
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest line stays in view
  useEffect(() => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [text]);
  return (
    <section
      ref={box}
      aria-label="The summary so far"
      {...scrollable}
      className="h-48 overflow-y-auto text-muted [&_.prose]:text-sm"
    >
      <Markdown text={text} isStreaming />
    </section>
  );
}

function WritingNote({ since }: { since: number }) {
  return (
    <p role="status" className="flex flex-1 items-center gap-2 text-muted text-sm">
      <Spinner />
      <span>
        Writing the summary… <RunningTime since={since} />
      </span>
    </p>
  );
}

function RunningTime({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="tabular-nums">{Math.max(0, Math.round((now - since) / 1_000))} s</span>;
}
