"use client";

import { useSummaries } from "@/app/_features/compaction/use-summaries";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { useMessageQueue } from "./message-queue";
import { type MessageMarks, withMarks } from "./transcript-window";
import { type Answers, useAnswers } from "./use-answers";
import { type PathMoves, usePathMoves } from "./use-path-moves";
import { type Sending, useSending } from "./use-sending";
import { useSessionUrl } from "./use-session-url";
import { type Transcript, useTranscript } from "./use-transcript";

export interface ChatSession
  extends Omit<PathMoves, "remember">,
    Omit<Answers, "answeringId">,
    Sending {
  readonly sessionId: string;
  readonly isNew: boolean;
  readonly transcript: Transcript;
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
  const { remember, ...moves } = usePathMoves(place);
  const [, changeQueue] = useMessageQueue(sessionId);
  const { answeringId, ...answers } = useAnswers({
    ...place,
    remember,
    onRetry: (answerId, by) => changeQueue({ type: "retried", answerId, by }),
  });
  useSummaries(sessionId, transcript);
  const sending = useSending({ ...place, isNew, answeringId });
  return {
    sessionId,
    isNew,
    transcript,
    ...moves,
    ...answers,
    ...sending,
    showMarks(messageId, marks) {
      transcript.change((shown) => withMarks(shown, messageId, marks));
    },
  };
}
