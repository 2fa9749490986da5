"use client";

import { Sparkles } from "lucide-react";
import { useRef } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { countOf } from "@/app/_ui/format-amount";
import { Labelled } from "@/app/_ui/labelled";
import { Textarea } from "@/app/_ui/textarea";
import { type NotePlaces, useDraftNote } from "./use-notes";

export interface SummaryDraftProps {
  readonly sessionId: string;
  readonly places: NotePlaces;
  readonly messageCount: number;
  readonly text: string;
  /** `model` drafted the text, edited or not; `null` when the person wrote it. */
  readonly onChange: (summary: { text: string; model: string | null }) => void;
}

/** A summary to carry over, drafted by the model on request or written by the person. */
export function SummaryDraft(props: SummaryDraftProps) {
  const { sessionId, places, messageCount, text, onChange } = props;
  const draft = useDraftNote(sessionId);
  const field = useRef<HTMLTextAreaElement>(null);

  function write() {
    draft.mutate(places, {
      onSuccess: (written) => {
        onChange({ text: written.text, model: written.model });
        field.current?.focus();
      },
    });
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button size="sm" onClick={write} busy={draft.isPending}>
          <Sparkles aria-hidden />
          {text === "" ? "Write it for me" : "Write it again"}
        </Button>
        <p role="status" className="text-muted text-xs">
          {draft.isPending ? "Writing…" : `From ${countOf(messageCount, "message")}.`}
        </p>
      </div>
      <Labelled label="Summary" hint="Edit it or write your own.">
        {(given) => (
          <Textarea
            {...given}
            ref={field}
            dir="auto"
            rows={6}
            maxRows={14}
            value={text}
            onChange={(event) =>
              onChange({ text: event.target.value, model: draft.data?.model ?? null })
            }
          />
        )}
      </Labelled>
      {draft.isError && (
        <ErrorNotice onRetry={write} retrying={draft.isPending}>
          {errorSentence(draft.error)} Nothing changed.
        </ErrorNotice>
      )}
    </div>
  );
}
