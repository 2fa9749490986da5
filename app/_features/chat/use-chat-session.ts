"use client";

import { useServerEvent } from "@/app/_api/server-events";
import { toastError } from "@/app/_api/toast-error";
import { changeOutbox } from "@/app/_data/chat/outbox";
import { summariesAskedHere, useUndoCompaction } from "@/app/_data/compaction/use-compactions";
import type { BookmarkMarks } from "@/app/_message/chat-session-context";
import { countOf } from "@/app/_ui/format-amount";
import { toastUndo } from "@/app/_ui/toast";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { readPage } from "./transcript-pages";
import { withMarks, withoutSummary, withSummary } from "./transcript-window";
import { type Answers, useAnswers } from "./use-answers";
import { type PathMoves, usePathMoves } from "./use-path-moves";
import { type Sending, useSending } from "./use-sending";
import { useSessionUrl } from "./use-session-url";
import { type Transcript, useTranscript } from "./use-transcript";

export interface ChatSession
  extends PathMoves,
    Omit<Answers, "answeringId" | "stoppingId" | "stop">,
    Omit<Sending, "awaitedId"> {
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly transcript: Transcript;
  readonly stop: () => void;
  readonly isStopping: boolean;
  readonly showMarks: (messageId: string, marks: BookmarkMarks) => void;
}

export interface ChatSessionStart {
  readonly page: TranscriptWire | null;
  readonly isNew: boolean;
}

export function useChatSession(sessionId: string, start: ChatSessionStart): ChatSession {
  const { isNew } = start;
  const url = useSessionUrl();
  const { leaf, hit } = url.start;
  const transcript = useTranscript(sessionId, { ...start, leaf, isElsewhere: hit !== null });
  const place = { sessionId, transcript, url };
  const moves = usePathMoves(place);
  const { answeringId, stoppingId, stop, ...answers } = useAnswers({
    ...place,
    onRetry: (answerId, by) => changeOutbox({ type: "answer-retried", answerId, by }),
  });
  useSummaries(sessionId, transcript);
  const { awaitedId, ...sending } = useSending({ ...place, isNew, answeringId });
  return {
    sessionId,
    isNew,
    transcript,
    ...moves,
    ...answers,
    ...sending,
    isStopping: awaitedId !== null && awaitedId === stoppingId,
    stop() {
      if (awaitedId !== null) stop(awaitedId);
    },
    showMarks(messageId, marks) {
      transcript.change((shown) => withMarks(shown, messageId, marks));
    },
  };
}

function useSummaries(sessionId: string, transcript: Transcript): void {
  const { undo } = useUndoCompaction(sessionId);

  async function offerUndo({ toMessageId, replaces }: SummaryRunWire): Promise<void> {
    const { entries } = await readPage(sessionId, { leaf: toMessageId }, { limit: 1 });
    const compaction = entries.at(-1)?.compaction;
    if (!compaction) return;
    const folded = countOf(compaction.messageCount, "message");
    const sentence = replaces === null ? `${folded} summarized.` : "Summary rewritten.";
    toastUndo(sentence, () => undo(compaction.id));
  }

  function onEnd(summary: SummaryRunWire): void {
    switch (summary.status) {
      case "complete":
        if (summariesAskedHere.has(summary.id)) void offerUndo(summary).catch(() => undefined);
        return;
      case "failed":
      case "interrupted":
        transcript.change((shown) => withSummary(shown, summary));
        // The summary's row may be far from the view.
        if (!summary.isManual && summary.problem !== null) toastError(summary.problem);
        return;
      case "stopped":
        transcript.change((shown) => withoutSummary(shown, summary.id));
        return;
      case "running":
      case "paused":
        return;
    }
  }

  useServerEvent((event) => {
    if (event.type === "summary-started" && event.sessionId === sessionId) {
      transcript.change((shown) => withSummary(shown, event.summary));
    }
    if (event.type === "summary-finished" && event.sessionId === sessionId) onEnd(event.summary);
  });
}
