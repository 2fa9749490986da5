"use client";

import { createContext, useContext } from "react";
import type { EntryWire, LargeOutputWire } from "@/lib/chat/wire/messages";
import type { ChatSession } from "./use-chat-session";

/** Stable, so rows only render when their own entry changes. */
export interface TranscriptActions
  extends Pick<
    ChatSession,
    "sessionId" | "answer" | "switchTo" | "settle" | "retrySending" | "takeBack" | "edit"
  > {
  readonly startEditing: (messageId: string | null) => void;
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
  readonly announce: (text: string) => void;
  readonly editUnsent: (id: string) => void;
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

/** @throws {Error} outside a transcript. */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext);
  if (!actions) throw new Error("useTranscriptActions needs a transcript around it.");
  return actions;
}
