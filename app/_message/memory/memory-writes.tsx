"use client";

import { NotebookPen } from "lucide-react";
import type { ReactNode } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { targetName, writeWords } from "@/app/_data/memory/block-words";
import {
  blockIdOf,
  type JoinedWrite,
  joinedWrites,
  undoWrite,
} from "@/app/_data/memory/undo-write";
import { useBlockLabel, useMemoryWrite } from "@/app/_data/memory/use-blocks";
import { useTranscriptActions } from "@/app/_message/chat-session-context";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";

export function MemoryWrites({ writes }: { writes: readonly MemoryWriteWire[] }) {
  return (
    <ul aria-label="Memory changes" className="my-2 flex flex-wrap gap-2">
      {joinedWrites(writes).map((write) => (
        <li key={`${blockIdOf(write)}/${write.key ?? ""}/${write.version}`}>
          {write.space === undefined ? (
            <WriteChip write={write} />
          ) : (
            <Chip words={writeWords(write.lines)} name={targetName(write)} note={inAnotherPlace} />
          )}
        </li>
      ))}
    </ul>
  );
}

export const inAnotherPlace = "in another place";

interface ChipProps {
  readonly words: ReactNode;
  readonly name: string;
  readonly isUndone?: boolean;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

export function Chip({ words, name, isUndone = false, note, children }: ChipProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md bg-accent-soft px-2.5 py-1 text-ink text-sm">
      <NotebookPen aria-hidden className="size-3.5 text-accent" />
      <span className={isUndone ? "text-muted line-through" : ""}>
        {words} <em className="font-medium not-italic">{name}</em>
      </span>
      {note && <span className="text-muted">{note}</span>}
      {children}
    </span>
  );
}

export function WriteChip({ write, note }: { write: JoinedWrite; note?: string }) {
  const { sessionId } = useTranscriptActions();
  const undo = useUndoWrite(sessionId);
  const readsOnly = useReadsOnly();
  const [isUndone, setIsUndone] = useKeptState(
    `${sessionId}/undone/${blockIdOf(write)}/${write.key ?? ""}/${write.version}`,
    false,
  );
  const label = useBlockLabel(sessionId, write);
  const name = targetName({ ...write, label });
  return (
    <Chip words={writeWords(write.lines)} name={name} isUndone={isUndone} note={note}>
      {!(readsOnly && !isUndone) && (
        <span aria-hidden className="text-faint">
          ·
        </span>
      )}
      {isUndone && <span className="text-muted">undone</span>}
      {!isUndone && !readsOnly && (
        <button
          type="button"
          className="rounded-xs font-medium text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent disabled:opacity-50"
          disabled={undo.isPending}
          onClick={() => undo.mutate(write, { onSuccess: () => setIsUndone(true) })}
        >
          Undo<span className="sr-only"> change to {name}</span>
        </button>
      )}
      {undo.isError && (
        <span role="alert" className="text-danger text-xs">
          {errorSentence(undo.error)}
        </span>
      )}
    </Chip>
  );
}

function useUndoWrite(sessionId: string) {
  return useMemoryWrite((write: JoinedWrite) => undoWrite(sessionId, write));
}
