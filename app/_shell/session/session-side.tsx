"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { toastError } from "@/app/_api/toast-error";
import { putQuestion } from "@/app/_data/chat/draft-store";
import { compareAddress } from "@/app/_data/compare/use-compare";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { useDrawer } from "@/app/_data/page/shell-store";
import type { ChatSession } from "@/app/_features/chat/use-chat-session";
import type { SessionDialog } from "@/app/_features/chat/use-line-actions";
import { shownLeaf } from "@/app/_features/chat/use-transcript";
import type { EntryWire } from "@/lib/chat/wire/messages";

const SessionDrawer = dynamic(() => import("./session-drawer").then((part) => part.SessionDrawer));

export interface SessionSideProps {
  readonly session: ChatSession;
  readonly onDialog: (dialog: SessionDialog) => void;
}

export function SessionSide({ session, onDialog }: SessionSideProps) {
  const router = useRouter();
  const drawer = useDrawer();
  const { sessionId, transcript } = session;
  const goTo = (wish: Promise<void>) => {
    wish.then(drawer.closeIfCovering, toastError);
  };
  function continueAfter(messageId: string | null, question?: string) {
    if (question !== undefined) putQuestion(sessionId, question);
    goTo(session.continueAfter(messageId).then(() => void focusComposer()));
  }
  /** The page goes there with the note, not before. */
  function carryOver(to: string | null, question?: string) {
    const from = transcript.window.leafId;
    if (from === null) return;
    drawer.closeIfCovering();
    onDialog({ kind: "note", from, to, ...(question !== undefined && { question }) });
  }
  // The space is reserved from the first message on, so that storing it does not move the conversation.
  if (session.isNew) return null;
  return (
    <SessionDrawer
      sessionId={sessionId}
      leafId={shownLeaf(transcript)}
      answerId={latestAnswer(transcript.window.entries)}
      tab={drawer.tab}
      onTabChange={drawer.open}
      onClose={drawer.close}
      onOpenLeaf={(messageId) => goTo(session.openThrough(messageId))}
      onOpenSummary={(messageId) => goTo(session.openSummary(messageId))}
      onContinueAfter={continueAfter}
      onCarryOver={carryOver}
      onCompare={(left, right) => {
        drawer.closeIfCovering();
        router.push(compareAddress(sessionId, left, right));
      }}
      onDeleted={session.forget}
    />
  );
}

function latestAnswer(entries: readonly EntryWire[]): string | null {
  return entries.findLast(({ message }) => message.role === "assistant")?.message.id ?? null;
}
