"use client";

import { ChevronLeft, ChevronRight, CornerUpRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { CompareItems } from "@/app/_features/compare/compare-items";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Menu, MenuItem } from "@/app/_ui/menu";
import { toastError } from "@/app/_ui/toast";
import type { SiblingsWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";

export interface SiblingSwitcherProps {
  readonly isStored: boolean;
  readonly siblings: SiblingsWire;
  readonly parentId: string | null;
}

/** Arrow keys switch versions while it has the focus. */
export function SiblingSwitcher({ siblings, parentId, isStored }: SiblingSwitcherProps) {
  const { switchTo, announce } = useTranscriptActions();
  const { index, count, previousId, nextId } = siblings;
  if (count < 2) return null;

  function go(siblingId: string | null, position: number) {
    if (siblingId === null) return;
    switchTo(siblingId, parentId).then(
      () => announce(`Version ${position} of ${count}`),
      (error: unknown) => toastError(error),
    );
  }
  const goPrevious = () => go(previousId, index);
  const goNext = () => go(nextId, index + 2);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    // The menu is portalled, but its key events bubble here.
    if (!event.currentTarget.contains(event.target as Node)) return;
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
      {isStored ? (
        <VersionsMenu siblings={siblings} />
      ) : (
        <span className={countLook}>
          {index + 1} / {count}
        </span>
      )}
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

const countLook = "min-w-9 text-center text-xs tabular-nums";

function VersionsMenu({ siblings }: { siblings: SiblingsWire }) {
  const { hasLeftBranch, carryOver } = useTranscriptActions();
  const [canBring, setCanBring] = useState(false);
  const { index, count } = siblings;
  return (
    <Menu
      align="center"
      onOpenChange={(open) => open && setCanBring(hasLeftBranch())}
      trigger={
        <button
          type="button"
          aria-label={`${index + 1} / ${count}: version menu`}
          className={classNames(countLook, "h-6 rounded-sm px-1 hover:bg-hover hover:text-ink")}
        >
          {index + 1} / {count}
        </button>
      }
    >
      <CompareItems siblings={siblings} />
      {canBring && (
        <MenuItem
          icon={<CornerUpRight aria-hidden />}
          note="From the branch you left"
          onSelect={carryOver}
        >
          Carry context over…
        </MenuItem>
      )}
    </Menu>
  );
}
