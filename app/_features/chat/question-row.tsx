"use client";

import { openingBlocks } from "grove-session/browser";
import { CircleAlert, Clock } from "lucide-react";
import { memo } from "react";
import { ActionButton } from "@/app/_api/action-button";
import { pagePerson, signInPath } from "@/app/_api/page-person";
import { messageFiles, messageText } from "@/app/_data/chat/message-text";
import type { Outgoing } from "@/app/_data/chat/outbox";
import { FileLine } from "@/app/_message/answer-parts";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { MessageFiles } from "@/app/_message/files/message-files";
import { shownParts } from "@/app/_message/message-parts";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { formatCount } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { useOnPaper } from "@/app/_ui/on-paper";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { useStore } from "@/app/_ui/store";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { EntryWire } from "@/lib/chat/wire/messages";
import { MessageActions } from "./message-actions";
import { MessageBookmark, MessageFrame, WritingMark } from "./message-frame";
import { QuestionEditor } from "./question-editor";

export interface QuestionRowProps {
  readonly entry: EntryWire;
  readonly isEditing: boolean;
  readonly isUnanswered: boolean;
  readonly isLast: boolean;
  readonly isFlashing: boolean;
}

export const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { entry, isEditing, isUnanswered, isLast, isFlashing } = props;
  const { sessionId } = useTranscriptActions();
  const readsOnly = useReadsOnly();
  return (
    <MessageFrame
      author={readsOnly ? "Question" : "You"}
      at={entry.createdAt}
      isFlashing={isFlashing}
    >
      {isEditing ? (
        <QuestionEditor entry={entry} />
      ) : (
        <>
          <AskedAssistant name={entry.message.metadata?.assistant?.name} />
          <MessageFiles files={messageFiles(entry.message)} side="end" />
          <QuestionNote
            text={messageText(entry.message)}
            stateKey={`${sessionId}/${entry.message.id}`}
          />
          {shownParts(entry.message).map(
            (part) => part.kind === "file" && <FileLine key={part.key} file={part} />,
          )}
          <MessageBookmark entry={entry} />
          <MessageActions entry={entry} isLast={isLast} />
          {isUnanswered && !readsOnly && <AskForAnswer messageId={entry.message.id} />}
        </>
      )}
    </MessageFrame>
  );
});

function AskedAssistant({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return <p className="mb-1 text-right text-accent text-xs">{`@${isolated(name)}`}</p>;
}

function AskForAnswer({ messageId }: { messageId: string }) {
  const { answer } = useTranscriptActions();
  return (
    <div className="flex min-h-10 items-center gap-3 text-muted text-sm">
      <span>No answer yet.</span>
      <ActionButton size="sm" action={() => answer(messageId)}>
        Generate answer
      </ActionButton>
    </div>
  );
}

export const OutgoingRow = memo(function OutgoingRow({ outgoing }: { outgoing: Outgoing }) {
  const { state } = outgoing;
  const isAway = useStore(pagePerson) !== "signed-in";
  const isWaiting = state.kind === "pending" && (isAway || state.attempts > 1);
  return (
    <MessageFrame author="You" at={outgoing.createdAt} isFlashing={false} isBusy>
      <AskedAssistant name={outgoing.assistant?.name} />
      <MessageFiles files={outgoing.files ?? []} side="end" />
      <QuestionNote text={outgoing.text} stateKey={`${outgoing.sessionId}/${outgoing.id}`} />
      <div className="flex min-h-8 items-center justify-end gap-2 text-muted text-sm">
        {isWaiting && <Waiting outgoing={outgoing} />}
        {state.kind === "failed" && <Refused outgoing={outgoing} reason={state.reason} />}
      </div>
      {state.kind === "pending" && outgoing.generate && !isWaiting && (
        <div className="mt-1 -ml-1.5 flex min-h-8 items-center">
          <WritingMark />
        </div>
      )}
    </MessageFrame>
  );
});

function Waiting({ outgoing }: { outgoing: Outgoing }) {
  const { editUnsent } = useTranscriptActions();
  return (
    <>
      <p role="status" className="flex items-center gap-1.5">
        <Clock aria-hidden className="size-3.5 shrink-0" />
        <WaitingWords />
      </p>
      <Button size="sm" variant="ghost" onClick={() => editUnsent(outgoing.id)}>
        Edit
      </Button>
    </>
  );
}

function WaitingWords() {
  const person = useStore(pagePerson);
  if (person === "signed-in") return "Can't reach Grove. Will send when you're back online.";
  if (person === "other-account")
    return "Somebody else is signed in here now. It is sent when you sign in here again.";
  return (
    <span>
      You are signed out.{" "}
      <a href={signInPath(location)} className="underline">
        Sign in to send it
      </a>
    </span>
  );
}

function Refused({ outgoing, reason }: { outgoing: Outgoing; reason: string }) {
  const { retrySending, takeBack, editUnsent } = useTranscriptActions();
  return (
    <div role="alert" className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
      <p className="flex items-center gap-1.5 text-danger">
        <CircleAlert aria-hidden className="size-3.5 shrink-0" />
        Not sent. {reason}
      </p>
      <Button size="sm" onClick={() => retrySending(outgoing.id)}>
        Retry
      </Button>
      <Button size="sm" variant="ghost" onClick={() => editUnsent(outgoing.id)}>
        Edit
      </Button>
      <Button size="sm" variant="ghost" onClick={() => takeBack(outgoing)}>
        Discard
      </Button>
    </div>
  );
}

const MAX_LENGTH = 2_400;
const MAX_LINES = 24;

function QuestionNote({ text, stateKey }: { readonly text: string; readonly stateKey: string }) {
  const [isWhole, setIsWhole] = useKeptState(stateKey, false);
  const isOnPaper = useOnPaper();
  if (text === "") return null;
  const { blocks, rest } = openingBlocks(text);
  const isShort = opening(rest).length === rest.length;
  const shown = isWhole || isOnPaper ? rest : opening(rest);
  return (
    <div
      className={`ml-auto w-fit min-w-0 max-w-[min(88%,38rem)] rounded-2xl rounded-br-sm border border-line bg-raised px-4 py-2.5 ${isShort ? "break-inside-avoid" : ""}`}
    >
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text of a message does not change
        <OpeningBlock key={index} block={block} stateKey={`${stateKey}/block/${index}`} />
      ))}
      <div
        dir="auto"
        className="wrap-anywhere whitespace-pre-wrap text-prose leading-relaxed [unicode-bidi:plaintext]"
      >
        {shown}
        {shown.length < rest.length && "…"}
      </div>
      {!isShort && !isOnPaper && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-1.5 min-h-6 rounded-xs text-accent text-sm underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
        >
          {isWhole ? "Show less" : `Show all ${formatCount(rest.length)} characters`}
        </button>
      )}
    </div>
  );
}

interface OpeningBlockProps {
  readonly block: ReturnType<typeof openingBlocks>["blocks"][number];
  readonly stateKey: string;
}

function OpeningBlock({ block: { name, text }, stateKey }: OpeningBlockProps) {
  const [isOpen, setIsOpen] = useKeptState(stateKey, false);
  const isOnPaper = useOnPaper();
  return (
    <Fold
      className="text-muted"
      isOpen={isOpen || isOnPaper}
      onToggle={(next) => !isOnPaper && setIsOpen(next)}
      summary={
        <>
          <span className="truncate font-mono text-sm">{name}</span>
          <span className="shrink-0 text-faint text-xs tabular-nums">
            {`${formatCount(text.length)} characters`}
          </span>
        </>
      }
    >
      <pre
        {...scrollable}
        className="wrap-anywhere mb-2 max-h-96 overflow-auto whitespace-pre-wrap font-mono text-sm"
      >
        {text}
      </pre>
    </Fold>
  );
}

function opening(text: string): string {
  const lines = text.slice(0, MAX_LENGTH).split("\n", MAX_LINES).join("\n");
  // A cut at half a surrogate pair drops it.
  return lines.isWellFormed() ? lines : lines.slice(0, -1);
}
