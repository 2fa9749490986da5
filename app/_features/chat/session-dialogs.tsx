"use client";

import { CompactDialog } from "@/app/_features/compaction/compact-dialog";
import { ReceiptDialog } from "@/app/_features/context/receipt-dialog";
import { NoteDialog } from "@/app/_features/tree/notes/note-dialog";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { ForkDialog } from "./fork-dialog";
import { LabelDialog } from "./label-dialog";

export interface SessionDialogsProps {
  readonly dialog: SessionDialog;
  readonly sessionId: string;
  readonly leafId: string | null;
  readonly onLabelled: (messageId: string, label: string | null) => void;
  readonly onNote: (entry: EntryWire, question: string | undefined) => void;
  readonly onClose: () => void;
}

export function SessionDialogs(props: SessionDialogsProps) {
  const { dialog, sessionId, leafId, onLabelled, onNote, onClose } = props;
  switch (dialog.kind) {
    case "fork":
      return <ForkDialog sessionId={sessionId} messageId={dialog.messageId} onClose={onClose} />;
    case "receipt":
      return <ReceiptDialog sessionId={sessionId} messageId={dialog.messageId} onClose={onClose} />;
    case "label":
      return (
        <LabelDialog
          sessionId={sessionId}
          messageId={dialog.messageId}
          label={dialog.label}
          onLabelled={onLabelled}
          onClose={onClose}
        />
      );
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
    case "compact":
      return (
        <CompactDialog
          open
          sessionId={sessionId}
          leafId={leafId}
          initialFocus={dialog.focus}
          onClose={onClose}
        />
      );
  }
}

export type SessionDialog =
  | { readonly kind: "fork"; readonly messageId: string }
  | { readonly kind: "receipt"; readonly messageId: string }
  | { readonly kind: "label"; readonly messageId: string; readonly label: string | null }
  | {
      readonly kind: "note";
      readonly from: string;
      readonly to: string | null;
      /** A question to put into the composer once the note is stored. */
      readonly question?: string;
    }
  | { readonly kind: "compact"; readonly focus: string };
