"use client";

import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { useMessageQueue } from "./message-queue";
import { type MessageMarks, withMarks } from "./transcript-window";
import { type Answers, useAnswers } from "./use-answers";
import { type PathMoves, usePathMoves } from "./use-path-moves";
import { type Sending, useSending } from "./use-sending";
import { useSessionUrl } from "./use-session-url";
import { useSummaries } from "./use-summaries";
import { type Transcript, useTranscript } from "./use-transcript";

export interface ChatSession
  extends PathMoves,
    Omit<Answers, "answeringId" | "stoppingId" | "stop">,
    Omit<Sending, "awaitedId"> {
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly transcript: Transcript;
  /** Ends the answer that is awaited or written. */
  readonly stop: () => void;
  readonly isStopping: boolean;
  readonly showMarks: (messageId: string, marks: MessageMarks) => void;
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
  const [, changeQueue] = useMessageQueue(sessionId);
  const { answeringId, stoppingId, stop, ...answers } = useAnswers({
    ...place,
    onRetry: (answerId, by) => changeQueue({ type: "retried", answerId, by }),
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
