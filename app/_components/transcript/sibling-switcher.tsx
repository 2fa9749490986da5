"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { toastError } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { SiblingsWire } from "@/lib/chat/wire";
import { useTranscriptActions } from "./chat-session-context";

export interface SiblingSwitcherProps {
  readonly siblings: SiblingsWire;
  readonly parentId: string | null;
}

/** `‹ 2 / 3 ›`: the versions of a message; the arrow keys walk them while it has the focus. */
export function SiblingSwitcher({ siblings, parentId }: SiblingSwitcherProps) {
  const { switchTo, announce } = useTranscriptActions();
  const { index, count, previousId, nextId } = siblings;
  if (count < 2) return null;

  function go(siblingId: string | null, position: number) {
    if (siblingId === null) return;
    switchTo(siblingId, parentId).then(
      () => announce(`Version ${position} of ${count}`),
      (error: unknown) => toastError(errorSentence(error)),
    );
  }
  const goPrevious = () => go(previousId, index);
  const goNext = () => go(nextId, index + 2);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    if (event.key === "ArrowLeft") goPrevious();
    else goNext();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      role="group"
      aria-label={`Version ${index + 1} of ${count}`}
      onKeyDown={onKeyDown}
      className="flex items-center text-muted"
    >
      <IconButton
        label="Previous version"
        size="xs"
        tooltip="none"
        aria-disabled={previousId === null}
        className="aria-disabled:opacity-35"
        onClick={goPrevious}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <span className="min-w-9 text-center text-xs tabular-nums">
        {index + 1} / {count}
      </span>
      <IconButton
        label="Next version"
        size="xs"
        tooltip="none"
        aria-disabled={nextId === null}
        className="aria-disabled:opacity-35"
        onClick={goNext}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
