import { messageText } from "@/app/_features/chat/message-text";
import type { TranscriptWindow } from "@/app/_features/chat/transcript-window";
import type { EntryWire } from "@/lib/chat/wire/messages";

/** The branch that was left for the one in view, before anything was said there. */
export interface LeftBranch {
  /** The message at which the branch ended that was left. */
  readonly from: string;
  /** The message at which the path ends now; `null` before the first one. */
  readonly to: string | null;
  /** How what was left begins: its label, or its first words. */
  readonly title: string;
  /** Nothing of it was wanted here. */
  readonly isDismissed: boolean;
}

/**
 * What is left when the path in view changes from `from` to `to`. Who only passes by a branch has left the one before it;
 * who is back on the branch that was left, or never left one, has left none.
 */
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
  // What lies before the first message that is loaded may be shared.
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
