"use client";

import dynamic from "next/dynamic";
import { memo } from "react";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { compactionPart, pendingCompactionPart } from "@/app/_message/compaction/compaction-part";
import { Skeleton } from "@/app/_ui/loading";
import { dayOf, dayWords } from "@/app/_ui/reader-day";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { AnswerRow, type AnswerRowProps } from "./answer-row";
import { InstructionRow, NoteRow } from "./note-row";
import { OutgoingRow, QuestionRow, type QuestionRowProps } from "./question-row";
import type { TranscriptRow } from "./transcript-rows";
import type { StickyEnd } from "./use-sticky-end";

const TogetherAnswers = dynamic(
  () => import("./together-answers").then((part) => part.TogetherAnswers),
  { ssr: false, loading: () => <Skeleton className="mt-4 h-40 w-full" /> },
);

export interface TranscriptRowViewProps {
  readonly row: TranscriptRow;
  readonly sessionId: string;
  readonly leafId: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly lastRowRef: StickyEnd["lastRowRef"];
  readonly isEditing: boolean;
  readonly isFlashing: boolean;
}

export const TranscriptRowView = memo(function TranscriptRowView(props: TranscriptRowViewProps) {
  const { row, isFirst, isLast, lastRowRef } = props;
  return (
    <div
      ref={isLast ? lastRowRef : null}
      className={`mx-auto w-full px-5 ${row.kind === "together" ? "max-w-[110rem]" : "max-w-column"} ${isFirst ? "pt-2" : ""} ${isLast ? "pb-8" : ""}`}
    >
      {row.startsDay && <DaySeparator day={row.startsDay} />}
      <RowContent {...props} />
    </div>
  );
});

function RowContent(props: TranscriptRowViewProps) {
  const { row, sessionId, leafId, isLast, isEditing, isFlashing } = props;
  const { refresh } = useTranscriptActions();
  switch (row.kind) {
    case "compaction":
      return (
        <div className={isFlashing ? "animate-flash rounded-lg" : ""}>
          <compactionPart.Component
            sessionId={sessionId}
            leafId={leafId}
            entry={row.entry}
            successor={row.successor}
            onChanged={refresh}
            renderEntry={(entry) => <OriginalEntry entry={entry} />}
          />
        </div>
      );
    case "summary":
      return <pendingCompactionPart.Component summary={row.summary} />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} />;
    case "run":
      return (
        <AnswerRow
          entry={null}
          run={row.run}
          runSiblings={row.siblings}
          awaited={row.awaited}
          isLast={isLast}
          isFlashing={false}
        />
      );
    case "together":
      return (
        <TogetherAnswers
          question={row.question}
          asked={row.asked}
          shown={row.entry}
          runs={row.runs}
        />
      );
    case "message":
      return storedRow({
        entry: row.entry,
        followers: row.followers,
        run: row.run,
        isEditing,
        isUnanswered: isLast,
        isLast,
        isFlashing,
      });
  }
}

type StoredRowProps = QuestionRowProps & Pick<AnswerRowProps, "run" | "followers">;

/** No component: React keeps the running answer's element, so storing moves nothing. */
function storedRow({ run, followers, isEditing, isUnanswered, ...props }: StoredRowProps) {
  const { message } = props.entry;
  if (message.metadata?.note) return <NoteRow {...props} note={message.metadata.note} />;
  switch (message.role) {
    case "user":
      return <QuestionRow {...props} isEditing={isEditing} isUnanswered={isUnanswered} />;
    case "system":
      return <InstructionRow {...props} />;
    case "assistant":
      return (
        <AnswerRow
          {...props}
          followers={followers}
          run={run}
          runSiblings={null}
          awaited={null}
          isEditing={isEditing}
        />
      );
  }
}

function DaySeparator({ day }: { day: string }) {
  return (
    <p className="flex items-center gap-4 pt-6 pb-2 text-faint text-xs" suppressHydrationWarning>
      <span aria-hidden className="h-px flex-1 bg-line" />
      <time dateTime={day}>{dayWords(day, dayOf(new Date()))}</time>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}

function OriginalEntry({ entry }: { entry: EntryWire }) {
  const shown = {
    run: null,
    isEditing: false,
    isUnanswered: false,
    isLast: false,
    isFlashing: false,
  };
  return storedRow({ entry, ...shown });
}
