import { messageText } from "@/app/_data/chat/message-text";
import type { Side } from "@/app/_data/compare/use-compare";
import { useModelName } from "@/app/_data/models/use-models";
import { AnswerParts } from "@/app/_message/answer-parts";
import { countOf } from "@/app/_ui/format-amount";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { DiffStretch, WordDiff } from "./entry-diffs";
import { comparedName } from "./mark-differences";

export interface ComparedMessageProps {
  readonly sessionId: string;
  readonly entry: EntryWire;
  readonly side: Side;
  readonly index: number;
  readonly diff: WordDiff | "unlike" | null;
}

export function ComparedMessage({ sessionId, entry, side, index, diff }: ComparedMessageProps) {
  const { message, label } = entry;
  const nameOf = useModelName();
  const isOwn = message.role === "user";
  return (
    <article
      aria-label={isOwn ? "You" : "Answer"}
      data-compared={comparedName(side, index)}
      className={
        isOwn ? "my-3 rounded-xl border border-line bg-raised px-4 py-2.5" : "my-1 min-w-0 py-1"
      }
    >
      <p className="flex flex-wrap gap-x-3 text-faint text-xs">
        <span>{isOwn ? "You" : nameOf(message.metadata?.model ?? "Answer")}</span>
        {label !== null && <span dir="auto">{label}</span>}
        {!(isOwn && diff === "unlike") && <DiffNote diff={diff} />}
      </p>
      {isOwn && diff !== null && diff !== "unlike" ? (
        <MarkedText stretches={diff[side]} />
      ) : (
        <Formatted sessionId={sessionId} entry={entry} />
      )}
    </article>
  );
}

function DiffNote({ diff }: { diff: ComparedMessageProps["diff"] }) {
  if (diff === null) return null;
  if (diff === "unlike") return <span>almost nothing in common</span>;
  if (diff.ownWords === 0) return <span>identical</span>;
  return <span>{countOf(diff.ownWords, "word")} differ</span>;
}

function Formatted({ sessionId, entry }: Pick<ComparedMessageProps, "sessionId" | "entry">) {
  const { message } = entry;
  if (message.role === "user") return <PlainText text={messageText(message)} />;
  return <AnswerParts sessionId={sessionId} message={message} isStreaming={false} />;
}

function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className={textLook}>
      {text}
    </div>
  );
}

function MarkedText({ stretches }: { stretches: readonly DiffStretch[] }) {
  return (
    <div dir="auto" className={textLook}>
      {stretches.map((stretch, index) => {
        const key = `${index} ${stretch.isOwn}`;
        return stretch.isOwn ? (
          <mark key={key}>{stretch.text}</mark>
        ) : (
          <span key={key}>{stretch.text}</span>
        );
      })}
    </div>
  );
}

const textLook =
  "[unicode-bidi:plaintext] wrap-anywhere whitespace-pre-wrap text-prose leading-relaxed";
