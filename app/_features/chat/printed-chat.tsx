"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { toastError } from "@/app/_api/toast-error";
import { pause } from "@/app/_data/chat/backoff";
import { Spinner } from "@/app/_ui/loading";
import { OnPaper } from "@/app/_ui/on-paper";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { TranscriptRowView } from "./transcript-row-view";
import { type TranscriptRow, togetherAtEnd, transcriptRows } from "./transcript-rows";
import type { LoadedTranscript } from "./transcript-window";
import type { ChatSession } from "./use-chat-session";
import { loadParts } from "./use-parts-loaded";

export interface PrintedChatProps {
  readonly session: ChatSession;
  readonly title: string;
  readonly onClose: () => void;
}

export function PrintedChat({ session, title, onClose }: PrintedChatProps) {
  const [whole, setWhole] = useState<LoadedTranscript | null>(null);
  const paper = useRef<HTMLElement>(null);
  const client = useQueryClient();
  const print = useEffectEvent(async (isCurrent: () => boolean) => {
    const [read] = await Promise.all([session.transcript.readWhole(), loadParts()]);
    const together = togetherAtEnd(read);
    if (together) {
      const { loadAnswers } = await import("./together-answers");
      await loadAnswers(client, session.sessionId, together);
    }
    if (!isCurrent()) return;
    flushSync(() => setWhole(read));
    if (paper.current) await settled(paper.current);
    if (!isCurrent()) return;
    addEventListener("afterprint", onClose, { once: true });
    window.print();
  });
  const fail = useEffectEvent((error: unknown) => {
    toastError(error);
    onClose();
  });
  useEffect(() => {
    let isCurrent = true;
    print(() => isCurrent).catch(fail);
    return () => {
      isCurrent = false;
    };
  }, []);
  if (!whole) {
    return (
      <div className="fixed inset-0 z-50 flex items-center justify-center bg-scrim">
        <Spinner label="Preparing the chat for printing" />
      </div>
    );
  }
  const { sessionId, outgoing, runSiblings } = session;
  const rows = transcriptRows({ window: { ...whole, summaries: [] }, outgoing, runSiblings });
  return createPortal(
    <OnPaper value={true}>
      <main ref={paper} className="paper" data-theme="light" aria-label="Printed chat" inert>
        <h1 className="font-semibold text-xl">{title}</h1>
        <p className="text-muted text-sm">{daysOf(whole)}</p>
        {rows.map((row) => (
          <PaperRow key={row.key} row={row} sessionId={sessionId} leafId={whole.leafId ?? ""} />
        ))}
      </main>
    </OnPaper>,
    document.body,
  );
}

interface PaperRowProps {
  readonly row: TranscriptRow;
  readonly sessionId: string;
  readonly leafId: string;
}

function PaperRow(props: PaperRowProps) {
  return (
    <TranscriptRowView
      {...props}
      isFirst={false}
      isLast={false}
      lastRowRef={noRef}
      isEditing={false}
      isFlashing={false}
    />
  );
}

function noRef() {
  return undefined;
}

function daysOf({ entries }: LoadedTranscript): string {
  const days = [entries[0], entries.at(-1)].flatMap((entry) =>
    entry ? [dateWords(dayOf(new Date(entry.createdAt)))] : [],
  );
  return [...new Set(days)].join(" – ");
}

const longestWaitMs = 5_000;
const quietMs = 300;

/** Colours, formulas, diagrams and images come after the text. */
async function settled(paper: HTMLElement): Promise<void> {
  const images = [...paper.querySelectorAll("img")].map(async (image) => {
    image.loading = "eager";
    await image.decode().catch(() => undefined);
  });
  await Promise.race([Promise.all([...images, quiet(paper)]), pause(longestWaitMs)]);
}

function quiet(paper: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(done, quietMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    observer.observe(paper, { subtree: true, childList: true, characterData: true });
  });
}
