"use client";

import { Square } from "lucide-react";
import { useEffect, useRef } from "react";
import { Markdown } from "@/app/_components/markdown/markdown";
import { scrollable } from "@/app/_components/markdown/scrollable";
import { Button } from "@/app/_components/ui/button";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { summaryStore } from "@/app/_hooks/chat/summary-store";
import type { SummaryWriting } from "@/app/_hooks/chat/summary-writing";
import { WritingNote } from "./writing-note";

export interface SummaryInWritingProps {
  summary: SummaryWriting;
  /** Has it written once more, with the same wishes. */
  onRetry: () => void;
}

/** A summary while it is written, with its stop; when it fails, why, and that nothing has changed. */
export function SummaryInWriting({ summary, onRetry }: SummaryInWritingProps) {
  const { state, text, startedAt, wish } = summary;
  return (
    <div className="flex flex-col gap-3">
      {state.kind === "failed" ? (
        <ErrorNotice onRetry={onRetry}>
          {state.reason}{" "}
          {wish.replaces === null ? "Nothing has changed." : "The summary stays as it was."}
        </ErrorNotice>
      ) : (
        <div className="flex min-h-8 items-center gap-2">
          <WritingNote since={startedAt} />
          <Button
            size="sm"
            variant="ghost"
            busy={state.kind === "stopping"}
            disabled={state.kind === "done"}
            onClick={() => void stop(wish.sessionId)}
          >
            <Square aria-hidden />
            Stop
          </Button>
        </div>
      )}
      {state.kind !== "failed" && <Text text={text} />}
      {state.kind === "failed" && (
        <Button
          size="sm"
          variant="ghost"
          className="self-end"
          onClick={() => summaryStore.forget(wish.sessionId)}
        >
          Dismiss
        </Button>
      )}
    </div>
  );
}

async function stop(sessionId: string): Promise<void> {
  await summaryStore.stop(sessionId).catch((error: unknown) => toastError(errorSentence(error)));
}

/** Of one height from the beginning, so that what stands below does not move while it is written. */
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
