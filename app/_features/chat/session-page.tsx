"use client";

import dynamic from "next/dynamic";
import { notFound } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { useSession } from "@/app/_features/sessions/use-session";
import { type OfferedCommands, useOfferedCommands } from "@/app/_shell/page-commands";
import { shellStore } from "@/app/_shell/shell-store";
import { Workspace } from "@/app/_shell/workspace";
import { preloadHighlighter } from "@/app/_ui/markdown/highlighter";
import { preloadMarkdown } from "@/app/_ui/markdown/markdown";
import { usePageSettled } from "@/app/_ui/use-page-settled";
import type { TranscriptWire } from "@/lib/chat/wire/messages";
import { TranscriptActionsContext } from "./chat-session-context";
import { Greeting } from "./greeting";
import { SessionComposer } from "./session-composer";
import type { SessionDialog } from "./session-dialog";
import { SessionSide } from "./session-side";
import { TranscriptPane } from "./transcript-pane";
import { transcriptRows } from "./transcript-rows";
import { useAnnouncements } from "./use-announcements";
import { type ChatSession, useChatSession } from "./use-chat-session";
import { useDocumentTitle } from "./use-document-title";
import { useLineActions } from "./use-line-actions";
import { useNoteStored } from "./use-note-stored";

const SessionDialogs = dynamic(() =>
  import("./session-dialogs").then((part) => part.SessionDialogs),
);

export interface SessionPageProps {
  readonly sessionId: string;
  /** Sent by the server with the page. */
  readonly page: TranscriptWire | null;
  /** The first message is not stored yet. */
  readonly isNew?: boolean;
}

/** Preloads the streaming code once idle. */
function useAnswerPartsSoon(): void {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    // On failure the first answer loads it.
    void import("./run-reader").then(preloadHighlighter, () => undefined);
    void preloadMarkdown();
  }, [isSettled]);
}

/** Palette commands for the current path. */
function pathCommands(
  { transcript: { window }, left }: ChatSession,
  onDialog: (dialog: SessionDialog) => void,
): OfferedCommands {
  const { leafId, entries, hasOlder } = window;
  // Unloaded messages may have siblings, too.
  const parts = hasOlder || entries.some(({ siblings }) => siblings.count > 1);
  return {
    ...(leafId !== null && {
      compact: () => onDialog({ kind: "compact", focus: "" }),
      fork: () => onDialog({ kind: "fork", messageId: leafId }),
    }),
    ...(leafId !== null && parts && { compare: () => shellStore.compareFrom(leafId) }),
    ...(left && {
      "bring-along": () => onDialog({ kind: "note", from: left.from, to: left.to }),
    }),
  };
}

export function SessionPage({ sessionId, page, isNew = false }: SessionPageProps) {
  const session = useChatSession(sessionId, { page, isNew });
  useAnswerPartsSoon();
  useDocumentTitle(useSession(isNew ? null : sessionId).data?.session.title ?? null);
  const [beganHere] = useState(isNew);
  const [dialog, setDialog] = useState<SessionDialog | null>(null);
  const [editingId, setEditingId] = useState<string | null>(null);
  const { announcement, announce } = useAnnouncements(session);
  const onNote = useNoteStored(session);
  const actions = useLineActions({ session, setDialog, setEditingId, announce });
  const { transcript, outgoing, runSiblings } = session;
  const { window } = transcript;
  const rows = useMemo(
    () => transcriptRows({ window, outgoing, runSiblings }),
    [window, outgoing, runSiblings],
  );

  useOfferedCommands(pathCommands(session, setDialog));

  if (transcript.status === "missing" && outgoing.length === 0) notFound();
  const isGreeting = isNew && rows.length === 0;
  return (
    <TranscriptActionsContext value={actions}>
      <Workspace
        sessionId={isNew ? null : sessionId}
        {...(beganHere && { heading: "New chat" })}
        drawer={!isGreeting && <SessionSide session={session} onDialog={setDialog} />}
      >
        {isGreeting ? (
          <Greeting onStart={session.send} />
        ) : (
          <TranscriptPane session={session} rows={rows} editingId={editingId} />
        )}
        <SessionComposer session={session} onDialog={setDialog} />
        <p aria-live="polite" className="sr-only">
          {announcement}
        </p>
      </Workspace>
      {dialog && (
        <SessionDialogs
          dialog={dialog}
          sessionId={sessionId}
          leafId={window.leafId}
          onLabelled={(messageId, label) => session.showMarks(messageId, { label })}
          onNote={onNote}
          onClose={() => setDialog(null)}
        />
      )}
    </TranscriptActionsContext>
  );
}
