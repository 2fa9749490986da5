"use client";

import { type KeyboardEvent, useRef } from "react";
import { toastDone, toastError } from "@/app/_ui/toast";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";
import { messageActionOf } from "./message-key";
import { messageText } from "./message-text";
import { useRegenerate } from "./regenerate-buttons";

/** Message shortcuts, active while one of its buttons has keyboard focus. */
export function useMessageKeys(entry: EntryWire) {
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
