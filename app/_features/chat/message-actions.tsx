"use client";

import {
  CornerDownRight,
  Ellipsis,
  GitFork,
  Pencil,
  ReceiptText,
  RefreshCw,
  Trash2,
  Volume2,
  VolumeOff,
} from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useRef, useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { messageText } from "@/app/_data/chat/message-text";
import { useModelName } from "@/app/_data/models/use-models";
import { BookmarkItems } from "@/app/_message/bookmark-items";
import { bookmarkable, useTranscriptActions } from "@/app/_message/chat-session-context";
import { IconButton } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { useOnPaper } from "@/app/_ui/on-paper";
import { preloadable } from "@/app/_ui/preloadable";
import { useReadsOnly, Writes } from "@/app/_ui/reads-only";
import { toastDone } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { ModelChoice } from "@/lib/chat/wire/request-fields";
import { canRegenerate, isEditable, isQuestion, messageActionOf } from "./message-key";
import { canReadAloud, readAloud, stopReading, useReadId } from "./read-aloud";
import {
  RegenerateButton,
  RegenerateWith,
  useHasOtherModels,
  useRegenerate,
} from "./regenerate-buttons";
import { CompareItems, SiblingSwitcher } from "./sibling-switcher";

const reason = preloadable(() => import("./model-reason").then((part) => part.ModelReason));

export interface MessageActionsProps {
  readonly entry: EntryWire;
  readonly isLast: boolean;
}

export function MessageActions(props: MessageActionsProps) {
  return useOnPaper() ? null : <Actions {...props} />;
}

function Actions({ entry, isLast }: MessageActionsProps) {
  const isAnswer = entry.message.role === "assistant";
  const text = messageText(entry.message);
  // Actions are mostly hidden and half a row's cost, so they render after the text.
  const hasActions = useDeferredValue(true, false);
  const switcher = <SiblingSwitcher isStored siblings={entry.siblings} parentId={entry.parentId} />;
  const keys = useMessageKeys(entry);
  const place = useRef<HTMLDivElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <div
      ref={place}
      {...keys}
      className={`flex min-h-8 items-center gap-0.5 ${isAnswer ? "mt-1 -ml-1.5" : "justify-end"}`}
    >
      {isAnswer && switcher}
      {hasActions && (
        <div className={`flex items-center gap-0.5 ${isLast && isAnswer ? "" : "reveal-on-hover"}`}>
          {text !== "" && <CopyButton text={text} label="Copy" size="sm" />}
          <Writes>
            <div className="hidden items-center gap-0.5 sm:flex">
              {canRegenerate(entry) && <RegenerateButton entry={entry} />}
              {isEditable(entry) && <EditButton entry={entry} />}
            </div>
          </Writes>
          <MoreMenu entry={entry} onWith={() => setIsChoosing(true)} />
        </div>
      )}
      {hasActions && isAnswer && <AnswerModel entry={entry} />}
      {isChoosing && (
        <RegenerateWith entry={entry} anchor={place} onClose={() => setIsChoosing(false)} />
      )}
      {!isAnswer && switcher}
    </div>
  );
}

function AnswerModel({ entry }: { entry: EntryWire }) {
  const nameOf = useModelName();
  const { model, choice, editedFrom } = entry.message.metadata ?? {};
  if (editedFrom !== undefined) return <EditedMark name={model && nameOf(model)} />;
  if (model === undefined) return null;
  const name = nameOf(model);
  if (choice !== undefined) return <AutomaticModel name={name} choice={choice} />;
  return (
    <span className="ml-auto min-w-0 truncate pl-1.5 text-faint text-xs" title={name}>
      <span className="sr-only">Model: </span>
      <bdi>{name}</bdi>
    </span>
  );
}

function AutomaticModel({ name, choice }: { name: string; choice: ModelChoice }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={`Answered by ${name}: why this model?`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={name}
        onPointerEnter={reason.preload}
        onFocus={reason.preload}
        onClick={() => setIsOpen(!isOpen)}
        className="relative ml-auto h-8 min-w-0 rounded-sm pl-1.5 text-faint text-xs pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-1.5 hover:text-ink hover:underline"
      >
        <bdi className="block truncate">{name}</bdi>
      </button>
      {isOpen && (
        <reason.Component
          anchor={button}
          name={name}
          choice={choice}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function EditedMark({ name }: { name: string | undefined }) {
  return (
    <span className="ml-auto min-w-0 truncate pl-1.5 text-faint text-xs">
      {useReadsOnly() ? "Edited" : "Edited by you"}
      {name !== undefined && (
        <>
          {" · from "}
          <bdi>{name}</bdi>
        </>
      )}
    </span>
  );
}

function EditButton({ entry }: { entry: EntryWire }) {
  const { startEditing } = useTranscriptActions();
  return (
    <IconButton label="Edit" onClick={() => startEditing(entry.message.id)}>
      <Pencil aria-hidden />
    </IconButton>
  );
}

interface MoreMenuProps {
  readonly entry: EntryWire;
  readonly onWith: () => void;
}

function MoreMenu({ entry, onWith }: MoreMenuProps) {
  const actions = useTranscriptActions();
  const isAnswer = entry.message.role === "assistant";
  const hasOthers = useHasOtherModels(entry);
  const readsOnly = useReadsOnly();
  const isSpoken = isAnswer && canReadAloud();
  if (readsOnly && !isAnswer && entry.siblings.count < 2) return null;
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="More actions" tooltip="none">
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      {!readsOnly && <AskItems entry={entry} {...(isAnswer && hasOthers && { onWith })} />}
      <CompareItems siblings={entry.siblings} />
      {!readsOnly && (
        <>
          <MenuItem icon={<GitFork aria-hidden />} onSelect={() => actions.fork(entry)}>
            Branch in new chat
          </MenuItem>
          <BookmarkItems message={bookmarkable(entry)} />
        </>
      )}
      {isSpoken && <ReadAloudItem entry={entry} />}
      {isAnswer && (
        <MenuItem
          icon={<ReceiptText aria-hidden />}
          onSelect={() => actions.showReceipt(entry.message.id)}
        >
          Show prompt
        </MenuItem>
      )}
      <Writes>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => actions.remove(entry)}>
          Delete
        </MenuItem>
      </Writes>
    </Menu>
  );
}

function AskItems({ entry, onWith }: Pick<MoreMenuProps, "entry"> & Partial<MoreMenuProps>) {
  const actions = useTranscriptActions();
  return (
    <>
      <div className="sm:hidden">{canRegenerate(entry) && <RegenerateItem entry={entry} />}</div>
      {onWith && (
        <MenuItem icon={<RefreshCw aria-hidden />} onSelect={onWith}>
          Regenerate with…
        </MenuItem>
      )}
      <div className="sm:hidden">
        {isEditable(entry) && (
          <MenuItem
            icon={<Pencil aria-hidden />}
            onSelect={() => actions.startEditing(entry.message.id)}
          >
            Edit
          </MenuItem>
        )}
      </div>
      {!isQuestion(entry) && (
        <MenuItem
          icon={<CornerDownRight aria-hidden />}
          onSelect={() => actions.continueHere(entry)}
        >
          Continue here
        </MenuItem>
      )}
    </>
  );
}

function ReadAloudItem({ entry }: { entry: EntryWire }) {
  const { id } = entry.message;
  const isRead = useReadId() === id;
  return (
    <MenuItem
      icon={isRead ? <VolumeOff aria-hidden /> : <Volume2 aria-hidden />}
      onSelect={() => (isRead ? stopReading() : void readAloud(id, messageText(entry.message)))}
    >
      {isRead ? "Stop reading" : "Read aloud"}
    </MenuItem>
  );
}

function RegenerateItem({ entry }: { entry: EntryWire }) {
  const regenerate = useRegenerate(entry);
  return (
    <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => regenerate()}>
      Regenerate
    </MenuItem>
  );
}

function useMessageKeys(entry: EntryWire) {
  const { startEditing, continueHere } = useTranscriptActions();
  const regenerate = useRegenerate(entry);
  // After a click, letters are meant as text. The first key would make `:focus-visible` true even then.
  const cameByKeyboard = useRef(false);
  const readsOnly = useReadsOnly();

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Menus are portalled, but their key events bubble here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    const action = isHere && cameByKeyboard.current ? messageActionOf(event, entry) : null;
    if (action === null || (readsOnly && action !== "copy")) return;
    event.preventDefault();
    if (action === "copy") copy(messageText(entry.message));
    else if (action === "edit") startEditing(entry.message.id);
    else if (action === "again") regenerate();
    else continueHere(entry);
  }

  return {
    onKeyDown,
    // Tab is pressed elsewhere and released here.
    onKeyUp(event: KeyboardEvent<HTMLElement>) {
      if (event.key === "Tab") cameByKeyboard.current = true;
    },
    onPointerDown() {
      cameByKeyboard.current = false;
    },
  };
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toastDone("Copied"),
    () => toastError("Your browser blocked copying. Select the text and copy it manually."),
  );
}
