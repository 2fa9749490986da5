"use client";

import { ChevronLeft, ChevronRight, Columns2, Columns3, CornerUpRight } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { useVersions } from "@/app/_data/chat/use-messages";
import { useModelName } from "@/app/_data/models/use-models";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { useReadsOnly } from "@/app/_ui/reads-only";
import type { SiblingsWire } from "@/lib/chat/wire/messages";

export interface SiblingSwitcherProps {
  readonly isStored: boolean;
  readonly siblings: SiblingsWire;
  readonly parentId: string | null;
}

export function SiblingSwitcher({ siblings, parentId, isStored }: SiblingSwitcherProps) {
  const { switchTo, announce } = useTranscriptActions();
  const { index, count, previousId, nextId } = siblings;
  if (count < 2) return null;

  function go(siblingId: string | null, position: number) {
    if (siblingId === null) return;
    switchTo(siblingId, parentId).then(
      () => announce(`Version ${position} of ${count}`),
      toastError,
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
        <VersionsMenu siblings={siblings} parentId={parentId} />
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

function VersionsMenu({ siblings, parentId }: Omit<SiblingSwitcherProps, "isStored">) {
  const { hasLeftBranch, carryOver, keep, keptOf } = useTranscriptActions();
  const readsOnly = useReadsOnly();
  const [canBring, setCanBring] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const wasKept = isOpen && keptOf(parentId) !== null;
  const { index, count } = siblings;
  return (
    <Menu
      align="center"
      open={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (open) setCanBring(hasLeftBranch());
      }}
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
      {parentId !== null && isOpen && <VersionItems parentId={parentId} index={index} />}
      <CompareItems siblings={siblings} />
      {parentId !== null && wasKept && !readsOnly && (
        <MenuItem
          icon={<Columns3 aria-hidden />}
          onSelect={() => void keep(parentId, null).catch(toastError)}
        >
          Show side by side
        </MenuItem>
      )}
      {canBring && !readsOnly && (
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

function VersionItems({ parentId, index }: { parentId: string; index: number }) {
  const { sessionId, switchTo } = useTranscriptActions();
  const nameOf = useModelName();
  const { data } = useVersions(sessionId, parentId);
  const versions = data?.versions ?? [];
  if (versions.length < 2) return null;
  return (
    <>
      <MenuChoice
        label="Version"
        value={versions[index]?.id ?? ""}
        onChange={(id) => void switchTo(id, parentId).catch(toastError)}
        options={versions.map(({ id, model, isEdited }, at) => ({
          value: id,
          label: `${at + 1} · ${model === null ? "Unknown model" : nameOf(model)}${isEdited ? " · Edited by you" : ""}`,
        }))}
      />
      <MenuSeparator />
    </>
  );
}

export function CompareItems({ siblings }: { siblings: SiblingsWire }) {
  const { compareWith } = useTranscriptActions();
  const { index, previousId, nextId } = siblings;
  return (
    <>
      {previousId !== null && (
        <MenuItem
          icon={<Columns2 aria-hidden />}
          onSelect={() => compareWith(previousId, "before")}
        >
          Compare with version {index}
        </MenuItem>
      )}
      {nextId !== null && (
        <MenuItem icon={<Columns2 aria-hidden />} onSelect={() => compareWith(nextId, "after")}>
          Compare with version {index + 2}
        </MenuItem>
      )}
    </>
  );
}
