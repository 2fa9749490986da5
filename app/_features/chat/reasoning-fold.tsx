"use client";

import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { useKeptState } from "@/app/_ui/use-kept-state";

export interface ReasoningFoldProps {
  readonly text: string;
  readonly isWriting: boolean;
  /** Key of the stored expanded state. */
  readonly stateKey: string;
}

/** A model's reasoning, collapsed, with its duration where observed. */
export function ReasoningFold({ text, isWriting, stateKey }: ReasoningFoldProps) {
  const seconds = useSecondsWriting(isWriting);
  const [isOpen, setIsOpen] = useKeptState(stateKey, false);
  return (
    <details
      className="group my-2 text-muted text-sm"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm py-1 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
        <span className={isWriting ? "animate-breathe" : ""}>{wordsFor(isWriting, seconds)}</span>
      </summary>
      {isOpen && (
        <div className="mt-1 mb-3 border-line border-l-2 pl-4 [&_.prose]:text-sm">
          <Markdown text={text} isStreaming={isWriting} />
        </div>
      )}
    </details>
  );
}

function wordsFor(isWriting: boolean, seconds: number | null): string {
  if (isWriting) return "Thinking…";
  if (seconds === null) return "Reasoning";
  return seconds < 2 ? "Thought for a moment" : `Thought for ${seconds} seconds`;
}

/** Seconds `isWriting` was true; `null` when its start was not observed. */
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
