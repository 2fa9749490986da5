"use client";

import { type ClipboardEvent, type ReactNode, useId, useState } from "react";
import { formatCount } from "./format-amount";

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface PasteLimit {
  readonly onPaste: (event: ClipboardEvent<Field>) => void;
  readonly onInput: () => void;
  readonly note: ReactNode;
  readonly noteId: string | undefined;
}

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

/** A password or number field may have no selection. */
interface FilledField {
  readonly value: string;
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/** `null` when the text fits. Browsers would truncate it silently. */
export function pastedProblem(
  { value, selectionStart, selectionEnd }: FilledField,
  pasted: string,
  limit: number,
): string | null {
  const selected = (selectionEnd ?? 0) - (selectionStart ?? 0);
  // A line break is one character in the field.
  const added = pasted.replaceAll("\r\n", "\n").length;
  const length = value.length - selected + added;
  if (length <= limit) return null;
  const over = `Not pasted: that is ${formatCount(added)} characters`;
  if (added > limit) return `${over}, and there is room for ${formatCount(limit)}.`;
  return `${over}, and there is room for ${formatCount(limit - value.length + selected)} more.`;
}
