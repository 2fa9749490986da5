"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { toastError } from "@/app/_api/toast-error";
import { Button } from "@/app/_ui/button";
import { Kbd } from "@/app/_ui/kbd";
import { Skeleton } from "@/app/_ui/loading";
import { EmptyState, ErrorNotice } from "@/app/_ui/notice";
import { useCameFromServer } from "@/app/_ui/page-phase";
import { TranscriptList } from "./transcript-list";
import { openingRows, TranscriptOpening } from "./transcript-opening";
import type { TranscriptRow } from "./transcript-rows";
import type { ChatSession } from "./use-chat-session";
import { usePartsLoaded } from "./use-parts-loaded";

export interface TranscriptPaneProps {
  readonly session: ChatSession;
  readonly rows: readonly TranscriptRow[];
  readonly editingId: string | null;
}

export function TranscriptPane({ session, rows, editingId }: TranscriptPaneProps) {
  const { transcript, outgoing, landing, sessionId, jumpToLatest } = session;
  const cameFromServer = useCameFromServer();
  const [opening] = useState(() => (cameFromServer ? openingRows(rows) : []));
  const isReady = usePartsLoaded(rows);
  const [isWhole] = useState(opening.length === rows.length && !transcript.window.hasOlder);
  const opened = useRef<HTMLElement>(null);
  const leftAbovePx = useRef(0);
  if (rows.length > 0 && !isReady) {
    if (opening.length === 0) return <TranscriptSkeleton />;
    return (
      <TranscriptOpening
        sessionId={sessionId}
        leafId={transcript.window.leafId ?? ""}
        rows={opening}
        isWhole={isWhole}
        scroller={opened}
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
        opened={opened}
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

function TranscriptSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-column flex-1 flex-col gap-8 overflow-hidden px-5 pt-10">
      <span role="status" className="sr-only">
        Opening the conversation
      </span>
      <Skeleton className="ml-auto h-11 w-2/5 rounded-2xl" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-10/12" />
        <Skeleton className="h-4 w-1/2" />
      </div>
      <Skeleton className="ml-auto h-11 w-1/3 rounded-2xl" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4 w-5/6" />
        <Skeleton className="h-4 w-9/12" />
      </div>
    </div>
  );
}

function PathBeginning({ session }: { session: ChatSession }) {
  return (
    <div className="flex flex-1 items-center justify-center overflow-y-auto">
      {session.left ? (
        <AskedAnew session={session} />
      ) : (
        <EmptyState title="Empty chat">
          Your next message starts it. Other branches stay in the tree.
        </EmptyState>
      )}
    </div>
  );
}

function AskedAnew({ session }: { session: ChatSession }) {
  const goBack = () => {
    session.goBack().catch(toastError);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    goBack();
  });
  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <EmptyState
      title="Editing your first question"
      action={
        <Button onClick={goBack}>
          Back
          <Kbd keys={["Esc"]} />
        </Button>
      }
    >
      Sending it starts a new branch. The earlier one stays in the tree.
    </EmptyState>
  );
}
