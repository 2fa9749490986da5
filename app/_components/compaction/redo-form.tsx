"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { FocusField } from "./focus-field";
import { WritingNote } from "./writing-note";

export interface RedoFormProps {
  initialFocus: string;
  /** When the rewriting began, in milliseconds; `null` while it is not running. */
  runningSince: number | null;
  error: unknown;
  onRedo: (focus: string) => void;
  onCancel: () => void;
}

/** What a summary should look after when it is written anew. */
export function RedoForm({ initialFocus, runningSince, error, onRedo, onCancel }: RedoFormProps) {
  const [focus, setFocus] = useState(initialFocus);
  const isRunning = runningSince !== null;
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    onRedo(focus.trim());
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2.5">
      <FocusField value={focus} onChange={setFocus} disabled={isRunning} autoFocus />
      {Boolean(error) && (
        <ErrorNotice>{errorSentence(error)} The summary stays as it was.</ErrorNotice>
      )}
      <div className="flex items-center justify-end gap-2">
        {isRunning && <WritingNote since={runningSince} />}
        <Button size="sm" variant="ghost" disabled={isRunning} onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={isRunning}>
          Write it anew
        </Button>
      </div>
    </form>
  );
}
