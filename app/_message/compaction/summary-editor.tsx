"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { useChangeCompaction } from "@/app/_data/compaction/use-compactions";
import { readTextDraft, writeTextDraft } from "@/app/_data/memory/text-draft";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import type { CompactionWire } from "@/lib/chat/wire/compaction";

export interface SummaryEditorProps {
  sessionId: string;
  compaction: CompactionWire;
  onDone: () => void;
  onChanged: () => void;
}

export function summaryDraftKey(compactionId: string): string {
  return `summary:${compactionId}`;
}

export function SummaryEditor({ sessionId, compaction, onDone, onChanged }: SummaryEditorProps) {
  const draftKey = summaryDraftKey(compaction.id);
  const [summary, setSummary] = useState(() => readTextDraft(draftKey)?.text ?? compaction.summary);
  const change = useChangeCompaction(sessionId);

  function type(text: string) {
    setSummary(text);
    writeTextDraft(draftKey, text === compaction.summary ? null : { text, version: 0 });
  }

  function close() {
    writeTextDraft(draftKey, null);
    onDone();
  }

  function save() {
    change.mutate(
      { id: compaction.id, summary },
      {
        onSuccess: () => {
          onChanged();
          close();
        },
      },
    );
  }

  return (
    <div className="flex flex-col gap-2">
      <Textarea
        rows={6}
        maxRows={24}
        dir="auto"
        autoFocus
        aria-label="Summary text"
        maxLength={100_000}
        value={summary}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
        }}
      />
      <Failure of={change} />
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button
          size="sm"
          variant="primary"
          busy={change.isPending}
          disabled={summary.trim() === ""}
          onClick={save}
        >
          Save
        </Button>
      </div>
    </div>
  );
}
