"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { messageText } from "@/app/_data/chat/message-text";
import { plainName } from "@/app/_data/chat/plain-name";
import { Button, IconButton } from "@/app/_ui/button";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { LoadedTranscript } from "./transcript-window";

export interface LeftBranchLineProps {
  readonly title: string;
  /** `null` where the page has a way back of its own. */
  readonly onBack: (() => void) | null;
  readonly onBring: () => void;
  readonly onDismiss: () => void;
}

export function LeftBranchLine({ title, onBack, onBring, onDismiss }: LeftBranchLineProps) {
  return (
    <LineAboveComposer onDismiss={onDismiss}>
      <p className="flex min-w-0 flex-1 whitespace-pre pl-1">
        {title === "" ? (
          "You left a branch."
        ) : (
          <>
            <span>You left “</span>
            <span dir="auto" className="truncate">
              {title}
            </span>
            <span>”</span>
          </>
        )}
      </p>
      {onBack && (
        <Button size="sm" variant="ghost" onClick={onBack}>
          Back
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onBring}>
        Carry context over…
      </Button>
    </LineAboveComposer>
  );
}

interface LineAboveComposerProps {
  readonly onDismiss: () => void;
  readonly children: ReactNode;
}

export function LineAboveComposer({ onDismiss, children }: LineAboveComposerProps) {
  return (
    <div className="absolute inset-x-3 bottom-full flex h-8 animate-appear items-center gap-1 bg-paper text-faint text-xs sm:inset-x-5">
      {children}
      <IconButton label="Dismiss" size="xs" tooltip="top" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

export interface LeftBranch {
  readonly from: string;
  readonly to: string | null;
  readonly title: string;
  readonly isDismissed: boolean;
}

/** Passing through a branch counts as leaving the one before it; returning to the branch that was left clears it. */
export function nextLeftBranch(
  before: LeftBranch | null,
  { from, to }: { from: LoadedTranscript; to: LoadedTranscript },
): LeftBranch | null {
  const left = before?.to === from.leafId ? before : leftAt(from, to);
  if (!left || holds(to, left.from)) return null;
  return { ...left, to: to.leafId };
}

function leftAt(from: LoadedTranscript, to: LoadedTranscript): LeftBranch | null {
  if (from.leafId === null) return null;
  return { from: from.leafId, to: to.leafId, title: titleOf(from, to), isDismissed: false };
}

function titleOf(from: LoadedTranscript, to: LoadedTranscript): string {
  // Messages before the first loaded one may be shared.
  const start = to.entries[0]?.position ?? 0;
  const alone = from.entries.filter(
    ({ message, position }) => position >= start && !holds(to, message.id),
  );
  return alone.map(nameOf).find((name) => name !== "") ?? "";
}

function nameOf({ message, label, compaction }: EntryWire): string {
  if (compaction) return "";
  return label ?? plainName(messageText(message));
}

function holds({ entries, leafId }: LoadedTranscript, messageId: string): boolean {
  return leafId === messageId || entries.some(({ message }) => message.id === messageId);
}
