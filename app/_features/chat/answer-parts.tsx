"use client";

import { Paperclip } from "lucide-react";
import { Markdown } from "@/app/_ui/markdown/markdown";
import type { GroveMessage, GroveMetadata } from "@/lib/chat/wire/messages";
import { type ShownPart, shownParts } from "./message-parts";
import { ReasoningFold } from "./reasoning-fold";
import { ToolLine } from "./tool-line";
import { isSaidBelow } from "./tool-words";

export interface AnswerPartsProps {
  readonly sessionId: string;
  readonly message: GroveMessage;
  readonly isStreaming: boolean;
}

/** What a model wrote and did, in order. */
export function AnswerParts({ sessionId, message, isStreaming }: AnswerPartsProps) {
  const parts = shownParts(message);
  return parts.map((part, index) => (
    <ShownPartView
      key={part.key}
      part={part}
      stateKey={`${sessionId}/${message.id}/${part.key}`}
      isStreaming={isStreaming && index === parts.length - 1}
      metadata={message.metadata}
    />
  ));
}

interface ShownPartViewProps {
  readonly part: ShownPart;
  readonly stateKey: string;
  readonly isStreaming: boolean;
  readonly metadata: GroveMetadata | undefined;
}

function ShownPartView({ part, stateKey, isStreaming, metadata }: ShownPartViewProps) {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} isStreaming={isStreaming} />;
    case "reasoning":
      return (
        <ReasoningFold
          text={part.text}
          isWriting={part.isOpen && isStreaming}
          stateKey={stateKey}
        />
      );
    case "tool":
      return (
        <ToolLine call={part.call} stateKey={stateKey} isSaid={isSaidBelow(part.call, metadata)} />
      );
    case "file":
      return (
        <p className="my-2 flex items-center gap-2 text-muted text-sm">
          <Paperclip aria-hidden className="size-4 text-faint" />
          {part.name} <span className="text-faint">({part.mediaType})</span>
        </p>
      );
  }
}
