"use client";

import { createContext, useContext } from "react";
import type { Outgoing } from "@/app/_data/chat/outbox";
import type { AttachedFile } from "@/lib/chat/wire/files";
import type { EntryWire, GroveMessage, LargeOutputWire } from "@/lib/chat/wire/messages";
import type { ParameterName } from "@/lib/chat/wire/request-fields";

/** Stable, so rows only render when their own entry changes. */
export interface TranscriptActions {
  readonly sessionId: string;
  readonly answer: (parentId: string, model?: string, options?: AnswerOptions) => Promise<void>;
  readonly settle: (runId: string) => Promise<void>;
  readonly switchTo: (siblingId: string, parentId: string | null) => Promise<void>;
  /** Makes one of several answers the active leaf. No branch is left: the others were never continued. */
  readonly goOnWith: (answerId: string, questionId: string) => Promise<void>;
  /** Answered only with `generate`. */
  readonly edit: (entry: EntryWire, edited: EditedMessage) => void;
  readonly retrySending: (id: string) => void;
  readonly takeBack: (outgoing: Outgoing) => void;
  readonly startEditing: (messageId: string | null) => void;
  /** An answer in the person's words, stored as a version. */
  readonly showEdited: (entry: EntryWire) => void;
  /** Before a question, its text goes into the composer. */
  readonly branchFrom: (entry: EntryWire) => void;
  /** The other path is the most recent one through a sibling. */
  readonly compareWith: (siblingId: string, order: "before" | "after") => void;
  readonly fork: (entry: EntryWire) => void;
  readonly showReceipt: (messageId: string) => void;
  readonly remove: (entry: EntryWire) => void;
  readonly setPinned: (entry: EntryWire, pinned: boolean) => void;
  readonly sendInFull: (output: LargeOutputWire, value: boolean) => void;
  readonly editLabel: (entry: EntryWire) => void;
  readonly showMessage: (messageId: string) => void;
  readonly hasLeftBranch: () => boolean;
  readonly carryOver: () => void;
  readonly refresh: () => void;
  /**
   * Of the answers of several models, shows one alone and asks its model, and only that one, for the next; `null` shows
   * all again.
   */
  readonly keep: (questionId: string, answerId: string | null, model?: string) => Promise<void>;
  /** The one that was kept of several; `null` when there were none. */
  readonly keptOf: (questionId: string | null) => string | null;
  /** Sends later answers of the chat without these. */
  readonly withoutParameters: (names: readonly ParameterName[]) => Promise<void>;
  readonly announce: (text: string) => void;
  readonly editUnsent: (id: string) => void;
}

export interface AnswerOptions {
  /** One of the answers of several models, whose place the new one takes. */
  readonly replaces?: string;
  /** One that was cut off; the new one goes on with it. */
  readonly continues?: GroveMessage;
}

export interface EditedMessage {
  readonly text: string;
  readonly files: readonly AttachedFile[];
  readonly generate: boolean;
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

/** @throws {Error} outside a transcript. */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext);
  if (!actions) throw new Error("useTranscriptActions needs a transcript around it.");
  return actions;
}
