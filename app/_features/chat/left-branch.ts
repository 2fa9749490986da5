import { messageText } from "@/app/_data/chat/message-text";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { TranscriptWindow } from "./transcript-window";

export interface LeftBranch {
  readonly from: string;
  /** `null` before the first message. */
  readonly to: string | null;
  readonly title: string;
  readonly isDismissed: boolean;
}

/** Passing through a branch counts as leaving the one before it; returning to the branch that was left clears it. */
export function nextLeftBranch(
  before: LeftBranch | null,
  { from, to }: { from: TranscriptWindow; to: TranscriptWindow },
): LeftBranch | null {
  const left = before?.to === from.leafId ? before : leftAt(from, to);
  if (!left || holds(to, left.from)) return null;
  return { ...left, to: to.leafId };
}

function leftAt(from: TranscriptWindow, to: TranscriptWindow): LeftBranch | null {
  if (from.leafId === null) return null;
  return { from: from.leafId, to: to.leafId, title: titleOf(from, to), isDismissed: false };
}

function titleOf(from: TranscriptWindow, to: TranscriptWindow): string {
  // Messages before the first loaded one may be shared.
  const start = to.entries[0]?.position ?? 0;
  const alone = from.entries.filter(
    ({ message, position }) => position >= start && !holds(to, message.id),
  );
  return alone.map(nameOf).find((name) => name !== "") ?? "";
}

function nameOf({ message, label, compaction }: EntryWire): string {
  if (compaction) return "";
  return label ?? messageText(message).trim().replace(/\s+/g, " ");
}

function holds({ entries, leafId }: TranscriptWindow, messageId: string): boolean {
  return leafId === messageId || entries.some(({ message }) => message.id === messageId);
}
