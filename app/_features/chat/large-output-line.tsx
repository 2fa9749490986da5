"use client";

import { Scissors } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { formatCount } from "@/app/_ui/format-amount";
import type { LargeOutputWire } from "@/lib/chat/wire/messages";
import { useTranscriptActions } from "./chat-session-context";

export function LargeOutputLine({ output }: { output: LargeOutputWire }) {
  const { sendInFull } = useTranscriptActions();
  const { shownChars, totalChars, isSentInFull } = output;
  const total = `${formatCount(totalChars)} characters`;
  return (
    <p className="-mt-1 mb-2 flex flex-wrap items-center gap-x-2 text-faint text-xs tabular-nums">
      <Scissors aria-hidden className="mx-0.5 size-3" />
      <span>
        {isSentInFull
          ? `Sent to the model in full: ${total}`
          : `Shortened for the model: ${formatCount(shownChars)} of ${total}`}
      </span>
      <Button
        size="sm"
        variant="ghost"
        className="text-xs"
        onClick={() => sendInFull(output, !isSentInFull)}
      >
        {isSentInFull ? "Shorten again" : "Send in full"}
      </Button>
    </p>
  );
}
