"use client";

import {
  Bookmark,
  Ellipsis,
  GitBranch,
  GitFork,
  Pencil,
  Pin,
  PinOff,
  ReceiptText,
  RefreshCw,
  Trash2,
} from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useRef } from "react";
import { CompareItems } from "@/app/_features/compare/compare-items";
import { IconButton } from "@/app/_ui/button";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { Menu, MenuItem, MenuSeparator, SubMenu } from "@/app/_ui/menu";
import { toastDone, toastError } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";
import { isQuestion, messageActionOf } from "./message-key";
import { messageText } from "./message-text";
import {
  OtherModels,
  RegenerateButtons,
  useOtherModels,
  useRegenerate,
} from "./regenerate-buttons";
import { SiblingSwitcher } from "./sibling-switcher";

export interface MessageActionsProps {
  readonly entry: EntryWire;
  readonly isLast: boolean;
}

export function MessageActions({ entry, isLast }: MessageActionsProps) {
  const isAnswer = entry.message.role === "assistant";
  const text = messageText(entry.message);
  // Mostly hidden and half a row's cost, so they render after the text.
  const hasActions = useDeferredValue(true, false);
  // At the outer edge, where it stays visible while the actions are hidden.
  const switcher = <SiblingSwitcher isStored siblings={entry.siblings} parentId={entry.parentId} />;
  const keys = useMessageKeys(entry);
  return (
    <div
      {...keys}
      className={`flex min-h-8 items-center gap-0.5 ${isAnswer ? "mt-1 -ml-1.5" : "justify-end"}`}
    >
      {isAnswer && switcher}
      {hasActions && (
        <div className={`flex items-center gap-0.5 ${isLast && isAnswer ? "" : "reveal-on-hover"}`}>
          {text !== "" && <CopyButton text={text} label="Copy" size="sm" />}
          <div className="hidden items-center gap-0.5 sm:flex">
            {isAnswer && <RegenerateButtons entry={entry} />}
            {isQuestion(entry) && <EditButton entry={entry} />}
            <BranchButton entry={entry} />
          </div>
          <MoreMenu entry={entry} />
        </div>
      )}
      {!isAnswer && switcher}
    </div>
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

function BranchButton({ entry }: { entry: EntryWire }) {
  const { branchFrom } = useTranscriptActions();
  return (
    <IconButton label="Branch from here" onClick={() => branchFrom(entry)}>
      <GitBranch aria-hidden />
    </IconButton>
  );
}

function MoreMenu({ entry }: { entry: EntryWire }) {
  const actions = useTranscriptActions();
  const isAnswer = entry.message.role === "assistant";
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="More actions" tooltip="none">
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      <div className="sm:hidden">
        <PhoneItems entry={entry} />
        <MenuSeparator />
      </div>
      <CompareItems siblings={entry.siblings} />
      <MenuItem icon={<GitFork aria-hidden />} onSelect={() => actions.fork(entry)}>
        Fork to new chat
      </MenuItem>
      <MenuItem
        icon={entry.pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        note={entry.pinned ? undefined : "Kept verbatim when summarized"}
        onSelect={() => actions.setPinned(entry, !entry.pinned)}
      >
        {entry.pinned ? "Unpin" : "Pin"}
      </MenuItem>
      <MenuItem icon={<Bookmark aria-hidden />} onSelect={() => actions.editLabel(entry)}>
        {entry.label === null ? "Label" : "Change label"}
      </MenuItem>
      {isAnswer && (
        <MenuItem
          icon={<ReceiptText aria-hidden />}
          onSelect={() => actions.showReceipt(entry.message.id)}
        >
          Show prompt
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => actions.remove(entry)}>
        Delete
      </MenuItem>
    </Menu>
  );
}

function PhoneItems({ entry }: { entry: EntryWire }) {
  const actions = useTranscriptActions();
  const regenerate = useRegenerate(entry);
  const isAnswer = entry.message.role === "assistant";
  const hasOthers = useOtherModels(entry).length > 0;
  return (
    <>
      {isAnswer && (
        <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => regenerate()}>
          Regenerate
        </MenuItem>
      )}
      {isAnswer && hasOthers && (
        <SubMenu icon={<RefreshCw aria-hidden />} label="Regenerate with…">
          <OtherModels entry={entry} />
        </SubMenu>
      )}
      {isQuestion(entry) && (
        <MenuItem
          icon={<Pencil aria-hidden />}
          onSelect={() => actions.startEditing(entry.message.id)}
        >
          Edit
        </MenuItem>
      )}
      <MenuItem icon={<GitBranch aria-hidden />} onSelect={() => actions.branchFrom(entry)}>
        Branch from here
      </MenuItem>
    </>
  );
}

/** Active while one of its buttons has keyboard focus. */
function useMessageKeys(entry: EntryWire) {
  const { startEditing, branchFrom } = useTranscriptActions();
  const regenerate = useRegenerate(entry);
  // After a click, letters are meant as text. The first key would make `:focus-visible` true even
  // then.
  const cameByKeyboard = useRef(false);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Menus are portalled, but their key events bubble here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    const action = isHere && cameByKeyboard.current ? messageActionOf(event, entry) : null;
    if (action === null) return;
    event.preventDefault();
    if (action === "copy") copy(messageText(entry.message));
    else if (action === "edit") startEditing(entry.message.id);
    else if (action === "again") regenerate();
    else branchFrom(entry);
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
