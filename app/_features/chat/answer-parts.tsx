"use client";

import { Paperclip } from "lucide-react";
import { Markdown } from "@/app/_ui/markdown/markdown";
import type { GroveMessage, GroveMetadata, LargeOutputWire } from "@/lib/chat/wire/messages";
import { LargeOutputLine } from "./large-output-line";
import { type ShownPart, shownParts } from "./message-parts";
import { ReasoningFold } from "./reasoning-fold";
import { ToolLine } from "./tool-line";
import { isSaidBelow } from "./tool-words";

export interface AnswerPartsProps {
  readonly sessionId: string;
  readonly message: GroveMessage;
  readonly isStreaming: boolean;
  /** The tool outputs too large for the model; where they are given, the person can have them sent in full. */
  readonly largeOutputs?: readonly LargeOutputWire[] | undefined;
}

/** What a model wrote and did, in order. */
export function AnswerParts({ sessionId, message, isStreaming, largeOutputs }: AnswerPartsProps) {
  const parts = shownParts(message);
  return parts.map((part, index) => (
    <ShownPartView
      key={part.key}
      part={part}
      stateKey={`${sessionId}/${message.id}/${part.key}`}
      isStreaming={isStreaming && index === parts.length - 1}
      metadata={message.metadata}
      largeOutputs={largeOutputs}
    />
  ));
}

interface ShownPartViewProps {
  readonly part: ShownPart;
  readonly stateKey: string;
  readonly isStreaming: boolean;
  readonly metadata: GroveMetadata | undefined;
  readonly largeOutputs: readonly LargeOutputWire[] | undefined;
}

function ShownPartView(props: ShownPartViewProps) {
  const { part, stateKey, isStreaming, metadata, largeOutputs } = props;
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
    case "tool": {
      const large = largeOutputs?.find(({ toolCallId }) => toolCallId === part.call.id);
      return (
        <>
          <ToolLine
            call={part.call}
            stateKey={stateKey}
            isSaid={isSaidBelow(part.call, metadata)}
          />
          {large && <LargeOutputLine output={large} />}
        </>
      );
    }
    case "file":
      return (
        <p className="my-2 flex items-center gap-2 text-muted text-sm">
          <Paperclip aria-hidden className="size-4 text-faint" />
          {part.name} <span className="text-faint">({part.mediaType})</span>
        </p>
      );
  }
}
