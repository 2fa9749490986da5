"use client";

import { Paperclip, Scissors } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { formatCount } from "@/app/_ui/format-amount";
import { CitedPages } from "@/app/_ui/markdown/cited-pages";
import { hostOf } from "@/app/_ui/markdown/link-address";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { Writes } from "@/app/_ui/reads-only";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { EntryWire, GroveMessage, LargeOutputWire } from "@/lib/chat/wire/messages";
import { CallsFold } from "./calls-fold";
import { useTranscriptActions } from "./chat-session-context";
import { MessageFiles } from "./files/message-files";
import { joinedParts, type PlacedPart } from "./joined-calls";
import type { ShownPart } from "./message-parts";
import { ToolLine } from "./tool-line";

const CitedPage = dynamic(() => import("./files/cited-page").then((part) => part.CitedPage));
const QuestionCard = dynamic(() => import("./question-card").then((part) => part.QuestionCard));
const ApprovalCard = dynamic(() => import("./approval-card").then((part) => part.ApprovalCard));

export interface AnswerPartsProps {
  readonly sessionId: string;
  readonly message: GroveMessage;
  readonly at?: string | undefined;
  readonly followers?: readonly EntryWire[] | undefined;
  readonly isStreaming: boolean;
  readonly isWaiting?: boolean;
  readonly largeOutputs?: readonly LargeOutputWire[] | undefined;
}

export function AnswerParts(props: AnswerPartsProps) {
  const { sessionId, message, at, followers = [], isStreaming, isWaiting = false } = props;
  const shown = joinedParts(message, { at, followers, isOpen: isStreaming || isWaiting });
  const largeOutputs = [
    ...(props.largeOutputs ?? []),
    ...followers.flatMap((entry) => entry.largeOutputs ?? []),
  ];
  const view = (placed: PlacedPart, isLast: boolean) => (
    <ShownPartView
      key={placed.key}
      message={placed.message}
      sessionId={sessionId}
      isWaiting={isWaiting}
      part={placed.part}
      stateKey={`${sessionId}/${message.id}/${placed.key}`}
      isStreaming={isStreaming && isLast}
      largeOutputs={largeOutputs}
    />
  );
  return shown.map((each, index) =>
    each.kind === "part" ? (
      view(each, index === shown.length - 1)
    ) : (
      <CallsFold
        key={each.key}
        calls={each.calls}
        stateKey={`${sessionId}/${message.id}/${each.key}`}
        parts={each.parts}
        renderPart={(placed) => view(placed, false)}
      />
    ),
  );
}

interface ShownPartViewProps extends Pick<AnswerPartsProps, "sessionId" | "message" | "isWaiting"> {
  readonly part: ShownPart;
  readonly stateKey: string;
  readonly isStreaming: boolean;
  readonly largeOutputs: readonly LargeOutputWire[];
}

function ShownPartView(props: ShownPartViewProps) {
  const { part, stateKey, isStreaming, largeOutputs } = props;
  switch (part.kind) {
    case "text":
      return (
        <CitedPages value={CitedPage}>
          <Markdown text={part.text} isStreaming={isStreaming} />
        </CitedPages>
      );
    case "reasoning":
      return (
        <ReasoningFold
          text={part.text}
          isWriting={part.isOpen && isStreaming}
          thoughtMs={thoughtMsOf(part, props.message)}
          stateKey={stateKey}
        />
      );
    case "tool": {
      const { approvalId } = part.call;
      if (props.isWaiting && part.call.state === "waiting" && approvalId !== undefined) {
        const { proposals, pausedAt = null } = props.message.metadata ?? {};
        const write = proposals?.find(({ toolCallId }) => toolCallId === part.call.id);
        return (
          <ApprovalCard
            sessionId={props.sessionId}
            messageId={props.message.id}
            call={{ ...part.call, approvalId }}
            askedAt={pausedAt}
            write={write}
          />
        );
      }
      const { question } = part.call;
      const runId = props.message.metadata?.runId;
      const large = largeOutputs.find(({ toolCallId }) => toolCallId === part.call.id);
      return (
        <>
          <ToolLine call={part.call} stateKey={stateKey} />
          {part.call.state === "running" && question && runId !== undefined && (
            <QuestionCard
              key={question.id}
              sessionId={props.sessionId}
              runId={runId}
              question={question}
            />
          )}
          {large && <LargeOutputLine output={large} />}
        </>
      );
    }
    case "stored-file":
      return <MessageFiles files={[part.file]} side="start" />;
    case "file":
      return <FileLine file={part} />;
  }
}

/** The host of a file elsewhere learns who reads. */
export function FileLine({ file }: { file: Extract<ShownPart, { kind: "file" }> }) {
  const { name, mediaType, address } = file;
  return (
    <p className="my-2 flex items-center gap-2 text-muted text-sm [overflow-wrap:anywhere]">
      <Paperclip aria-hidden className="size-4 shrink-0 text-faint" />
      {address === null ? (
        <bdi>{name}</bdi>
      ) : (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="underline underline-offset-2 hover:text-ink"
        >
          <bdi>{name}</bdi> from <bdi>{hostOf(address)}</bdi>
        </a>
      )}{" "}
      <span className="text-faint">
        ({mediaType}
        {address !== null && ", not loaded"})
      </span>
    </p>
  );
}

interface ReasoningFoldProps {
  readonly text: string;
  readonly isWriting: boolean;
  readonly thoughtMs: number | null;
  readonly stateKey: string;
}

function thoughtMsOf(
  { parts }: Extract<ShownPart, { kind: "reasoning" }>,
  { metadata }: GroveMessage,
): number | null {
  const times = metadata?.thoughtMs?.slice(parts.first, parts.first + parts.count) ?? [];
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0);
}

function ReasoningFold({ text, isWriting, thoughtMs, stateKey }: ReasoningFoldProps) {
  const observed = useSecondsWriting(isWriting);
  const seconds = thoughtMs === null ? observed : Math.round(thoughtMs / 1_000);
  const [isOpen, setIsOpen] = useKeptState(stateKey, false);
  return (
    <Fold
      className="my-2 text-muted"
      isOpen={isOpen}
      onToggle={setIsOpen}
      summary={
        <>
          <span className={`shrink-0 ${isWriting ? "animate-breathe" : ""}`}>
            {wordsFor(isWriting, seconds)}
          </span>
          {isWriting && !isOpen && (
            <span dir="auto" className="min-w-0 truncate text-faint text-xs">
              {newestLine(text)}
            </span>
          )}
        </>
      }
    >
      <div className="mt-1 mb-3 border-line border-l-2 pl-4 [&_.prose]:text-sm">
        <Markdown text={text} isStreaming={isWriting} />
      </div>
    </Fold>
  );
}

function newestLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  const words = line.replace(/[*_`#>]+/g, "").trim();
  return words.length <= liveChars ? words : `…${words.slice(-liveChars)}`;
}

const liveChars = 120;

function wordsFor(isWriting: boolean, seconds: number | null): string {
  if (isWriting) return "Thinking…";
  if (seconds === null) return "Reasoning";
  return seconds < 2 ? "Thought for a moment" : `Thought for ${seconds} s`;
}

function useSecondsWriting(isWriting: boolean): number | null {
  const startedAt = useRef<number | null>(null);
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (isWriting) startedAt.current ??= performance.now();
    else if (startedAt.current !== null) {
      setSeconds(Math.round((performance.now() - startedAt.current) / 1_000));
    }
  }, [isWriting]);
  return seconds;
}

function LargeOutputLine({ output }: { output: LargeOutputWire }) {
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
      <Writes>
        <Button
          size="sm"
          variant="ghost"
          className="text-xs"
          onClick={() => sendInFull(output, !isSentInFull)}
        >
          {isSentInFull ? "Shorten again" : "Send in full"}
        </Button>
      </Writes>
    </p>
  );
}
