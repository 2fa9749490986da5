"use client";

import { createContext, useContext } from "react";
import type { EntryWire, LargeOutputWire } from "@/lib/chat/wire/messages";
import type { ChatSession } from "./use-chat-session";

/** What the lines of a transcript can do. It never changes, so lines only render when their own entry does. */
export interface TranscriptActions
  extends Pick<
    ChatSession,
    "sessionId" | "answer" | "switchTo" | "settle" | "retrySending" | "takeBack" | "edit" | "send"
  > {
  readonly startEditing: (messageId: string | null) => void;
  /** Ends the path at an answer, or before one's own message with its text in the composer. */
  readonly branchFrom: (entry: EntryWire) => void;
  /** Puts the path in view beside the one used last through a sibling of a message on it. */
  readonly compareWith: (siblingId: string, order: "before" | "after") => void;
  readonly fork: (entry: EntryWire) => void;
  readonly showReceipt: (messageId: string) => void;
  readonly remove: (entry: EntryWire) => void;
  readonly setPinned: (entry: EntryWire, pinned: boolean) => void;
  /** Sends a tool output to the model in full from the next request on, or shortened again. */
  readonly sendInFull: (output: LargeOutputWire, value: boolean) => void;
  /** Asks for a message's name. */
  readonly editLabel: (entry: EntryWire) => void;
  /** Shows the path through a message, scrolled to it. */
  readonly showMessage: (messageId: string) => void;
  /** Whether another branch was left for the one in view. */
  readonly hasLeftBranch: () => boolean;
  /** Asks what to bring along from the branch that was left. */
  readonly bringAlong: () => void;
  /** Reads the path again after something in it was changed elsewhere. */
  readonly refresh: () => void;
  /** Tells screen readers. */
  readonly announce: (text: string) => void;
  /** Puts a message that was not sent back into the composer. */
  readonly editUnsent: (id: string) => void;
}

export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

/**
 * What can be done with the session in view.
 *
 * @throws {Error} outside a transcript.
 */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(TranscriptActionsContext);
  if (!actions) throw new Error("useTranscriptActions needs a transcript around it.");
  return actions;
}
