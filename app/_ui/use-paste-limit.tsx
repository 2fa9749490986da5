"use client";

import { type ClipboardEvent, type ReactNode, useId, useState } from "react";
import { type FilledField, pastedProblem } from "./pasted-problem";

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface PasteLimit {
  /** Belongs on the field. */
  readonly onPaste: (event: ClipboardEvent<Field>) => void;
  /** Belongs on the field, too: what was refused is no longer the matter once something was typed. */
  readonly onInput: () => void;
  /** Belongs beneath the field; `null` unless the last paste was refused. */
  readonly note: ReactNode;
  /** Names the note while there is one. */
  readonly noteId: string | undefined;
}

/** Refuses, with a sentence, what is pasted into a field that has no room for all of it; no limit refuses nothing. */
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
