"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { messageText } from "./message-text";
import type { ChatSession } from "./use-chat-session";

const MAX_READ_LENGTH = 400;

/** Announces each finished answer and the results of actions to screen readers, never every word. */
export function useAnnouncements({ isWriting, transcript }: ChatSession) {
  const [announcement, setAnnouncement] = useState("");
  const wasWriting = useRef(false);
  const tellEnd = useEffectEvent(() => {
    const last = transcript.window.entries.at(-1)?.message;
    if (last?.role === "assistant") setAnnouncement(`Answer: ${opening(messageText(last))}`);
  });
  useEffect(() => {
    if (wasWriting.current && !isWriting) tellEnd();
    wasWriting.current = isWriting;
  }, [isWriting]);
  return { announcement, announce: setAnnouncement };
}

function opening(text: string): string {
  return text.length <= MAX_READ_LENGTH ? text : `${text.slice(0, MAX_READ_LENGTH)}…`;
}
