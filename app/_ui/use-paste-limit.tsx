"use client";

import { type ClipboardEvent, type ReactNode, useId, useState } from "react";
import { type FilledField, pastedProblem } from "./pasted-problem";

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface PasteLimit {
  readonly onPaste: (event: ClipboardEvent<Field>) => void;
  /** Clears the note once something is typed. */
  readonly onInput: () => void;
  /** Shown beneath the field; `null` unless the last paste was refused. */
  readonly note: ReactNode;
  readonly noteId: string | undefined;
}

/** Refuses a paste that does not fit, with a sentence; without a limit refuses nothing. */
export function usePasteLimit(limit: number | undefined): PasteLimit {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  return {
    onPaste(event) {
      if (limit === undefined) return;
      const field: FilledField = event.currentTarget;
      const found = pastedProblem(field, event.clipboardData.getData("text"), limit);
      if (found) event.preventDefault();
      setProblem(found);
    },
    onInput: () => setProblem(null),
    note: problem && (
      <p id={id} role="alert" className="py-1 text-danger text-xs">
        {problem}
      </p>
    ),
    noteId: problem === null ? undefined : id,
  };
}
