"use client";

import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Markdown } from "@/app/_components/markdown/markdown";

export interface ReasoningFoldProps {
  readonly text: string;
  /** While it is being written. */
  readonly isOpen: boolean;
}

/** What a model thought before it answered, folded away, with how long it took where that was seen. */
export function ReasoningFold({ text, isOpen }: ReasoningFoldProps) {
  const seconds = useSecondsOpen(isOpen);
  return (
    <details className="group my-2 text-muted text-sm">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm py-1 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
        <span className={isOpen ? "animate-breathe" : ""}>{wordsFor(isOpen, seconds)}</span>
      </summary>
      <div className="mt-1 mb-3 border-line border-l-2 pl-4 [&_.prose]:text-sm">
        <Markdown text={text} isStreaming={isOpen} />
      </div>
    </details>
  );
}

function wordsFor(isOpen: boolean, seconds: number | null): string {
  if (isOpen) return "Thinking…";
  if (seconds === null) return "Reasoning";
  return seconds < 2 ? "Thought for a moment" : `Thought for ${seconds} seconds`;
}

/** How long `isOpen` was true, in whole seconds; `null` when its start was not seen. */
function useSecondsOpen(isOpen: boolean): number | null {
  const startedAt = useRef<number | null>(null);
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    if (isOpen) startedAt.current ??= performance.now();
    else if (startedAt.current !== null) {
      setSeconds(Math.round((performance.now() - startedAt.current) / 1_000));
    }
  }, [isOpen]);
  return seconds;
}
