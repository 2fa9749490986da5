"use client";

import { createContext, useContext } from "react";
import type { EntryWire, LargeOutputWire } from "@/lib/chat/wire/messages";
import type { ChatSession } from "./use-chat-session";

/** Actions of transcript rows. The object is stable, so rows only render when their own entry changes. */
export interface TranscriptActions
  extends Pick<
    ChatSession,
    "sessionId" | "answer" | "switchTo" | "settle" | "retrySending" | "takeBack" | "edit" | "send"
  > {
  readonly startEditing: (messageId: string | null) => void;
  /** Ends the path at an answer, or before a question with its text in the composer. */
  readonly branchFrom: (entry: EntryWire) => void;
  /** Compares the current path with the most recent one through a sibling. */
  readonly compareWith: (siblingId: string, order: "before" | "after") => void;
  readonly fork: (entry: EntryWire) => void;
  readonly showReceipt: (messageId: string) => void;
  readonly remove: (entry: EntryWire) => void;
  readonly setPinned: (entry: EntryWire, pinned: boolean) => void;
  /** Sends a tool output to the model in full from the next request on, or shortened again. */
  readonly sendInFull: (output: LargeOutputWire, value: boolean) => void;
  readonly editLabel: (entry: EntryWire) => void;
  /** Shows the path through a message, scrolled to it. */
  readonly showMessage: (messageId: string) => void;
  /** Returns true after a switch of branches. */
  readonly hasLeftBranch: () => boolean;
  /** Opens the dialog that carries context over from the branch that was left. */
  readonly carryOver: () => void;
  readonly refresh: () => void;
  /** Announces to screen readers. */
  readonly announce: (text: string) => void;
  /** Moves an unsent message back into the composer. */
  readonly editUnsent: (id: string) => void;
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

/** @throws {Error} outside a transcript. */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext);
  if (!actions) throw new Error("useTranscriptActions needs a transcript around it.");
  return actions;
}
