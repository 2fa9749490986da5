"use client";

import { useRef, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { useIsHydrating } from "@/app/_ui/use-is-hydrating";
import { openingRows } from "./opening-rows";
import { PathBeginning } from "./path-beginning";
import { TranscriptList } from "./transcript-list";
import { TranscriptOpening } from "./transcript-opening";
import type { TranscriptRow } from "./transcript-rows";
import { TranscriptSkeleton } from "./transcript-skeleton";
import type { ChatSession } from "./use-chat-session";
import { usePartsLoaded } from "./use-parts-loaded";

export interface TranscriptPaneProps {
  readonly session: ChatSession;
  readonly rows: readonly TranscriptRow[];
  readonly editingId: string | null;
}

export function TranscriptPane({ session, rows, editingId }: TranscriptPaneProps) {
  const { transcript, outgoing, landing, sessionId, jumpToLatest } = session;
  const isReady = usePartsLoaded(rows);
  const isHydrating = useIsHydrating();
  const [opening] = useState(() => (isHydrating ? openingRows(rows) : []));
  const [isWhole] = useState(opening.length === rows.length && !transcript.window.hasOlder);
  const leftAbovePx = useRef(0);
  if (rows.length > 0 && !isReady) {
    if (opening.length === 0) return <TranscriptSkeleton />;
    return (
      <TranscriptOpening
        sessionId={sessionId}
        leafId={transcript.window.leafId ?? ""}
        rows={opening}
        isWhole={isWhole}
        leftAbovePx={leftAbovePx}
      />
    );
  }
  if (rows.length > 0) {
    return (
      <TranscriptList
        key={sessionId}
        sessionId={sessionId}
        rows={rows}
        transcript={transcript}
        editingId={editingId}
        landing={landing}
        leftAbovePx={leftAbovePx}
        sentId={outgoing.at(-1)?.id ?? null}
        onJumpToLatest={jumpToLatest}
      />
    );
  }
  if (transcript.status === "loading") return <TranscriptSkeleton />;
  if (transcript.status === "failed") {
    return (
      <div className="mx-auto w-full max-w-column flex-1 px-5 pt-10">
        <ErrorNotice onRetry={() => void transcript.refresh()}>
          {errorSentence(transcript.error)}
        </ErrorNotice>
      </div>
    );
  }
  return <PathBeginning session={session} />;
}
