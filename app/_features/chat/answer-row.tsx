"use client";

import dynamic from "next/dynamic";
import { memo, startTransition, useCallback, useRef, useState } from "react";
import { RunReader } from "@/app/_data/chat/run-reader";
import { AnswerParts } from "@/app/_message/answer-parts";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { summarizing } from "@/app/_message/compaction/compaction-words";
import { MemoryWrites } from "@/app/_message/memory/memory-writes";
import { shownParts, sourcesOf } from "@/app/_message/message-parts";
import type { SummaryRunWire } from "@/lib/chat/wire/compaction";
import type {
  EntryWire,
  GroveMessage,
  ProposedWriteWire,
  RunWire,
  SiblingsWire,
} from "@/lib/chat/wire/messages";
import { AnswerSources } from "./answer-sources";
import { AnswerTrouble } from "./answer-trouble";
import { beginningOf } from "./begun-answers";
import { LeftOutLine } from "./left-out-line";
import { MessageActions } from "./message-actions";
import { MessageFrame, MessageMarks, WritingMark } from "./message-frame";
import { SiblingSwitcher } from "./sibling-switcher";

const AnswerEditor = dynamic(() => import("./answer-editor").then((part) => part.AnswerEditor));
const MemoryProposals = dynamic(() =>
  import("@/app/_message/memory/memory-proposals").then((part) => part.MemoryProposals),
);

export interface AnswerRowProps {
  /** `null` while it is being written, except after a pause. */
  readonly entry: EntryWire | null;
  readonly run: RunWire | null;
  readonly runSiblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
  readonly isEditing?: boolean;
}

interface Live {
  readonly key: string;
  readonly message: GroveMessage;
}

/** One component for running and stored answers, so that storing changes only the actions. */
export const AnswerRow = memo(function AnswerRow(props: AnswerRowProps) {
  const { entry, run, runSiblings, awaited, isLast, isFlashing, isEditing = false } = props;
  const { settle, sessionId } = useTranscriptActions();
  const [live, setLive] = useState<Live | null>(null);
  const runId = run?.id;
  const runKey = run && `${run.id} ${run.part}`;
  const hasWords = useRef(false);
  const onMessage = useCallback(
    (message: GroveMessage) => {
      if (!runKey) return;
      const show = () => setLive({ key: runKey, message });
      // Typing has priority over formatting new text, except the first of it.
      if (hasWords.current) startTransition(show);
      else show();
      hasWords.current = true;
    },
    [runKey],
  );
  const onEnd = useCallback(() => runId && void settle(runId), [runId, settle]);
  const written =
    live && live.key === runKey && live.message.parts.length > 0 ? live.message : null;
  const begun = run && !entry ? beginningOf(run.messageId) : null;
  const message = written ?? entry?.message ?? begun;
  const sources = entry && !run ? sourcesOf(entry.message) : [];
  const proposals = entry ? proposalsBelow(entry) : [];
  const isSilent = run !== null && (message === null || shownParts(message).length === 0);

  if (entry && !run && isEditing) {
    return (
      <MessageFrame author="Grove" at={entry.createdAt} isFlashing={isFlashing}>
        <AnswerEditor entry={entry} />
      </MessageFrame>
    );
  }
  return (
    <MessageFrame
      author="Grove"
      at={entry?.createdAt ?? run?.startedAt ?? ""}
      isFlashing={isFlashing}
      isBusy={run !== null}
    >
      {message && (
        <AnswerParts
          sessionId={sessionId}
          message={message}
          isStreaming={run !== null}
          isWaiting={run === null && entry?.isWaiting === true}
          largeOutputs={entry?.largeOutputs}
        />
      )}
      {run && runKey && (
        <RunReader
          key={runKey}
          run={run}
          before={entry?.message ?? null}
          onMessage={onMessage}
          onEnd={onEnd}
        />
      )}
      {sources.length > 0 && <AnswerSources sources={sources} />}
      {entry && !run && <LeftOutLine metadata={entry.message.metadata} />}
      {entry && !run && <AnswerTrouble entry={entry} />}
      {entry?.message.metadata?.writes && <MemoryWrites writes={entry.message.metadata.writes} />}
      {proposals.length > 0 && <MemoryProposals proposals={proposals} />}
      {entry && <MessageMarks entry={entry} />}
      {entry && !run ? (
        <MessageActions entry={entry} isLast={isLast} />
      ) : (
        <RunFoot run={run} siblings={runSiblings} awaited={awaited} isSilent={isSilent} />
      )}
    </MessageFrame>
  );
});

/** Without those that its calls ask about. */
function proposalsBelow({ message, isWaiting }: EntryWire): readonly ProposedWriteWire[] {
  const { proposals = [] } = message.metadata ?? {};
  if (!isWaiting) return proposals;
  const waiting = shownParts(message).flatMap((part) =>
    part.kind === "tool" && part.call.state === "waiting" ? [part.call.id] : [],
  );
  return proposals.filter(({ toolCallId = "" }) => !waiting.includes(toolCallId));
}

interface RunFootProps {
  readonly run: RunWire | null;
  readonly siblings: SiblingsWire | null;
  readonly awaited: SummaryRunWire | null;
  readonly isSilent: boolean;
}

/** Only before the first text: growing text pushes it down, which counts as layout shift. */
function RunFoot({ run, siblings, awaited, isSilent }: RunFootProps) {
  return (
    <div className={`mt-1 -ml-1.5 flex min-h-8 items-center gap-2 ${isSilent ? "" : "invisible"}`}>
      {run && siblings && (
        <div className="visible">
          <SiblingSwitcher isStored={false} siblings={siblings} parentId={run.parentId} />
        </div>
      )}
      <WritingMark />
      {awaited && (
        <p role="status" className="text-muted text-sm">
          {summarizing(awaited)} first, to make room.
        </p>
      )}
    </div>
  );
}
