"use client";

import { BookmarkDialog } from "@/app/_features/chat/bookmark-dialog";
import { ForkDialog } from "@/app/_features/chat/fork-dialog";
import { PrintedChat } from "@/app/_features/chat/printed-chat";
import type { ChatSession } from "@/app/_features/chat/use-chat-session";
import type { SessionDialog } from "@/app/_features/chat/use-line-actions";
import { CompactDialog } from "@/app/_features/context/compact-dialog";
import { ReceiptDialog } from "@/app/_features/context/receipt-dialog";
import { NoteDialog } from "@/app/_features/tree/notes/note-dialog";
import type { EntryWire } from "@/lib/chat/wire/messages";

export interface SessionDialogsProps {
  readonly dialog: SessionDialog;
  readonly session: ChatSession;
  readonly title: string;
  readonly onNote: (entry: EntryWire, question: string | undefined) => void;
  readonly onClose: () => void;
}

export function SessionDialogs(props: SessionDialogsProps) {
  const { dialog, session, title, onNote, onClose } = props;
  const { sessionId, transcript } = session;
  switch (dialog.kind) {
    case "fork":
      return <ForkDialog sessionId={sessionId} messageId={dialog.messageId} onClose={onClose} />;
    case "receipt":
      return <ReceiptDialog sessionId={sessionId} messageId={dialog.messageId} onClose={onClose} />;
    case "bookmark":
      return <BookmarkDialog message={dialog.message} onClose={onClose} />;
    case "note":
      return (
        <NoteDialog
          sessionId={sessionId}
          from={dialog.from}
          to={dialog.to}
          onStored={(entry) => onNote(entry, dialog.question)}
          onClose={onClose}
        />
      );
    case "print":
      return <PrintedChat session={session} title={title} onClose={onClose} />;
    case "compact":
      return (
        <CompactDialog
          sessionId={sessionId}
          leafId={transcript.window.leafId}
          initialFocus={dialog.focus}
          onClose={onClose}
        />
      );
  }
}
