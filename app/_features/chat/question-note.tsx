"use client";

import type { ReactNode } from "react";
import { useKeptState } from "@/app/_ui/use-kept-state";

const MAX_LENGTH = 2_400;
const MAX_LINES = 24;

export interface QuestionNoteProps {
  readonly text: string;
  readonly stateKey: string;
  readonly children?: ReactNode;
}

/** A long question is collapsed. */
export function QuestionNote({ text, stateKey, children }: QuestionNoteProps) {
  const [isWhole, setIsWhole] = useKeptState(stateKey, false);
  const shown = isWhole ? text : opening(text);
  return (
    <div className="ml-auto w-fit min-w-0 max-w-[min(88%,38rem)] rounded-2xl rounded-br-sm border border-line bg-raised px-4 py-2.5">
      <div dir="auto" className="wrap-anywhere whitespace-pre-wrap text-prose leading-relaxed">
        {shown}
        {shown.length < text.length && "…"}
      </div>
      {opening(text).length < text.length && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-1.5 rounded-xs text-accent text-sm underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
        >
          {isWhole ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
      {children}
    </div>
  );
}

function opening(text: string): string {
  const lines = text.slice(0, MAX_LENGTH).split("\n", MAX_LINES).join("\n");
  // Never splits a surrogate pair.
  return lines.isWellFormed() ? lines : lines.slice(0, -1);
}
