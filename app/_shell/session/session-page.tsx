"use client";

import dynamic from "next/dynamic";
import { notFound } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { toastRetry } from "@/app/_api/toast-error";
import { putQuestion } from "@/app/_data/chat/draft-store";
import { messageText } from "@/app/_data/chat/message-text";
import { useDeleteMessages } from "@/app/_data/chat/use-messages";
import { type OfferedCommands, useOfferedCommands } from "@/app/_data/page/page-commands";
import { shellStore, useDrawer } from "@/app/_data/page/shell-store";
import { useProject } from "@/app/_data/projects/use-projects";
import { sessionTitle, useDocumentTitle } from "@/app/_data/sessions/session-title";
import { useSession } from "@/app/_data/sessions/use-sessions";
import type { OpenedPreview } from "@/app/_features/chat/answer-code";
import { Greeting, StartBelow, TemporaryToggle } from "@/app/_features/chat/greeting";
import { TranscriptPane } from "@/app/_features/chat/transcript-pane";
import { transcriptRows } from "@/app/_features/chat/transcript-rows";
import { type ChatSession, useChatSession } from "@/app/_features/chat/use-chat-session";
import { type SessionDialog, useLineActions } from "@/app/_features/chat/use-line-actions";
import { preloadNextParts } from "@/app/_features/chat/use-parts-loaded";
import { TranscriptActionsContext } from "@/app/_message/chat-session-context";
import { Workspace } from "@/app/_shell/workspace";
import { preloadMarkdown } from "@/app/_ui/markdown/markdown";
import { usePageSettled } from "@/app/_ui/page-phase";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { toastUndo } from "@/app/_ui/toast";
import { useSpace } from "@/app/_ui/use-space";
import type { EntryWire, TranscriptWire } from "@/lib/chat/wire/messages";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { SessionComposer } from "./session-composer";
import { SessionSide } from "./session-side";

const SessionDialogs = dynamic(() =>
  import("./session-dialogs").then((part) => part.SessionDialogs),
);

const ProjectGreeting = dynamic(() =>
  import("@/app/_features/projects/project-start").then((part) => part.ProjectGreeting),
);

const ProjectBelow = dynamic(() =>
  import("@/app/_features/projects/project-start").then((part) => part.ProjectBelow),
);

const PreviewSide = dynamic(() =>
  import("@/app/_features/chat/preview-side").then((part) => part.PreviewSide),
);

// Markdown is fetched while the page hydrates, which needs it next.
if (typeof location !== "undefined" && /^(?:\/p\/[^/]+)?\/s\//.test(location.pathname))
  void preloadMarkdown();

export interface SessionPageProps {
  readonly sessionId: string;
  readonly page: TranscriptWire | null;
  readonly isNew?: boolean;
}

export function SessionPage({ sessionId, page, isNew = false }: SessionPageProps) {
  const session = useChatSession(sessionId, { page, isNew });
  const space = useSpace();
  const projectName = useProject()?.name;
  useAnswerPartsSoon();
  const stored = useSession(isNew ? null : sessionId).data;
  const title = isNew ? null : stored && sessionTitle(stored.session);
  const shownTitle = isNew && space !== null ? projectName : title;
  useDocumentTitle(isTemporaryId(sessionId) ? "Temporary chat" : shownTitle);
  const [beganHere] = useState(isNew);
  const [dialog, setDialog] = useState<SessionDialog | null>(null);
  const [editingId, setEditingId] = useState<string | null>(null);
  const { preview, setPreview, followEdited } = usePreviewBeside();
  const { announcement, announce } = useAnnouncements(session);
  const onNote = useNoteStored(session);
  const readsOnly = useReadsOnly();
  const actions = useLineActions({ session, setDialog, setEditingId, setPreview, announce });
  const { transcript, outgoing, runSiblings } = session;
  const { window } = transcript;
  const rows = useMemo(
    () => transcriptRows({ window, outgoing, runSiblings }),
    [window, outgoing, runSiblings],
  );

  const commands = pathCommands(session, setDialog);
  const { print, compare } = commands;
  useOfferedCommands(readsOnly ? { print, compare } : commands);

  if (transcript.status === "missing" && outgoing.length === 0) notFound();
  const isGreeting = isNew && rows.length === 0;
  return (
    <TranscriptActionsContext value={actions}>
      <Workspace
        sessionId={isNew ? null : sessionId}
        {...(beganHere && { heading: isTemporaryId(sessionId) ? "Temporary chat" : "New chat" })}
        actions={isGreeting && space === null && <TemporaryToggle />}
        {...(preview && {
          beside: (
            <PreviewSide
              opened={preview}
              window={window}
              onClose={() => setPreview(null)}
              onSaved={(edited) => followEdited(preview, edited)}
            />
          ),
          onCloseBeside: () => setPreview(null),
        })}
        drawer={!isGreeting && <SessionSide session={session} onDialog={setDialog} />}
      >
        {isGreeting ? (
          space === null ? (
            <Greeting />
          ) : (
            <ProjectGreeting />
          )
        ) : (
          <TranscriptPane session={session} rows={rows} editingId={editingId} />
        )}
        <SessionComposer session={session} onDialog={setDialog} />
        {isGreeting &&
          (space === null ? (
            <StartBelow onStart={session.send} assistant={session.first.assistant ?? null} />
          ) : (
            <ProjectBelow />
          ))}
        <p aria-live="polite" className="sr-only">
          {announcement}
        </p>
      </Workspace>
      {dialog && (
        <SessionDialogs
          dialog={dialog}
          session={session}
          title={title ?? "Chat"}
          onNote={onNote}
          onClose={() => setDialog(null)}
        />
      )}
    </TranscriptActionsContext>
  );
}

function usePreviewBeside() {
  const [preview, setPreview] = useState<OpenedPreview | null>(null);
  const { isOpen, close } = useDrawer();
  const open = (opened: OpenedPreview | null) => {
    if (opened) close();
    setPreview(opened);
  };
  const followEdited = (from: OpenedPreview, { message }: EntryWire) =>
    setPreview((now) => (now === from ? { ...from, entry: { ...from.entry, message } } : now));
  return { preview: isOpen ? null : preview, setPreview: open, followEdited };
}

function useAnswerPartsSoon(): void {
  const isSettled = usePageSettled();
  useEffect(() => {
    if (!isSettled) return;
    // A chunk asked for while offline fails for good, so the first answer must find it loaded.
    preloadNextParts();
  }, [isSettled]);
}

function pathCommands(
  { transcript: { window }, left, isWriting }: ChatSession,
  onDialog: (dialog: SessionDialog) => void,
): OfferedCommands {
  const { leafId, entries, hasOlder } = window;
  // Unloaded messages may have siblings, too.
  const parts = hasOlder || entries.some(({ siblings }) => siblings.count > 1);
  return {
    ...(leafId !== null && !isWriting && { print: () => onDialog({ kind: "print" }) }),
    ...(leafId !== null && {
      compact: () => onDialog({ kind: "compact", focus: "" }),
      fork: () => onDialog({ kind: "fork", messageId: leafId }),
    }),
    ...(leafId !== null && parts && { compare: () => shellStore.compareFrom(leafId) }),
    ...(left && { "bring-along": () => onDialog({ kind: "note", from: left.from, to: left.to }) }),
  };
}

const MAX_READ_LENGTH = 400;

/** Announces finished answers, never every word. */
function useAnnouncements({ isWriting, transcript }: ChatSession) {
  const [announcement, setAnnouncement] = useState("");
  const wasWriting = useRef(false);
  const tellEnd = useEffectEvent(() => {
    const last = transcript.window.entries.at(-1)?.message;
    if (last?.role === "assistant") setAnnouncement(`Answer: ${opening(messageText(last))}`);
  });
  useEffect(() => {
    if (wasWriting.current && !isWriting) tellEnd();
    wasWriting.current = isWriting;
  }, [isWriting]);
  return { announcement, announce: setAnnouncement };
}

function opening(text: string): string {
  return text.length <= MAX_READ_LENGTH ? text : `${text.slice(0, MAX_READ_LENGTH)}…`;
}

function useNoteStored(
  session: ChatSession,
): (entry: EntryWire, question: string | undefined) => void {
  const deletion = useDeleteMessages(session.sessionId);

  function takeBack(messageId: string, deletionId: string = crypto.randomUUID()) {
    deletion.mutate(
      // The chat returns to the place of the note, not to a reply beside it.
      { ids: [messageId], deletionId, continueAt: "parent" },
      {
        onSuccess: ({ messageIds }) => session.forget(messageIds),
        onError: (error) => toastRetry(error, () => takeBack(messageId, deletionId)),
      },
    );
  }

  return (entry, question) => {
    session.showStored(entry);
    if (question !== undefined) putQuestion(session.sessionId, question);
    toastUndo("Context carried over.", () => takeBack(entry.message.id));
  };
}
