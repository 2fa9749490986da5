"use client";

import { createContext, useContext } from "react";
import type { Outgoing } from "@/app/_data/chat/outbox";
import type { OpenedBlock } from "@/app/_ui/preview/open-preview";
import type { AttachedFile } from "@/lib/chat/wire/files";
import type { EntryWire, GroveMessage, LargeOutputWire } from "@/lib/chat/wire/messages";
import type { ParameterName } from "@/lib/chat/wire/request-fields";

/** Actions are stable, so rows only render when their own entry changes. */
export interface TranscriptActions {
  readonly sessionId: string;
  readonly answer: (parentId: string, model?: string, options?: AnswerOptions) => Promise<void>;
  readonly settle: (runId: string) => Promise<void>;
  readonly switchTo: (siblingId: string, parentId: string | null) => Promise<void>;
  /** Makes one of several answers the active leaf. No branch is left: the others were never continued. */
  readonly goOnWith: (answerId: string, questionId: string) => Promise<void>;
  readonly edit: (entry: EntryWire, edited: EditedMessage) => void;
  readonly retrySending: (id: string) => void;
  readonly takeBack: (outgoing: Outgoing) => void;
  readonly startEditing: (messageId: string | null) => void;
  readonly showEdited: (entry: EntryWire) => void;
  readonly openPreview: (entry: EntryWire, opened: OpenedBlock, options?: PreviewOptions) => void;
  readonly continueHere: (entry: EntryWire) => void;
  readonly compareWith: (siblingId: string, order: "before" | "after") => void;
  readonly fork: (entry: EntryWire) => void;
  readonly showReceipt: (messageId: string) => void;
  readonly remove: (entry: EntryWire) => void;
  /** Shows it at once, and takes that back when it rejects. */
  readonly setBookmark: (message: Bookmarkable, next: BookmarkMarks) => Promise<void>;
  /** A removal, which takes the name, too, can be undone. */
  readonly toggleBookmark: (message: Bookmarkable) => void;
  readonly nameBookmark: (message: Bookmarkable) => void;
  readonly sendInFull: (output: LargeOutputWire, value: boolean) => void;
  readonly showMessage: (messageId: string) => void;
  readonly hasLeftBranch: () => boolean;
  readonly carryOver: () => void;
  readonly refresh: () => void;
  /** Shows one answer alone and asks its model for the next; `null` shows all again. */
  readonly keep: (questionId: string, answerId: string | null, model?: string) => Promise<void>;
  readonly keptOf: (questionId: string | null) => string | null;
  readonly withoutParameters: (names: readonly ParameterName[]) => Promise<void>;
  readonly announce: (text: string) => void;
  readonly editUnsent: (id: string) => void;
}

export interface PreviewOptions {
  readonly isOneOfSeveral?: boolean;
}

export type BookmarkMarks = Pick<EntryWire, "pinned" | "label">;

export interface Bookmarkable extends BookmarkMarks {
  readonly id: string;
}

export function bookmarkable({ message, pinned, label }: EntryWire): Bookmarkable {
  return { id: message.id, pinned, label };
}

export interface AnswerOptions {
  readonly replaces?: string;
  readonly continues?: GroveMessage;
}

export interface EditedMessage {
  readonly text: string;
  readonly files: readonly AttachedFile[];
  readonly generate: boolean;
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext);
  if (!actions) throw new Error("useTranscriptActions needs a transcript around it.");
  return actions;
}
