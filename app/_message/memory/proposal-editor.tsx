"use client";

import { type KeyboardEvent, useEffect, useRef } from "react";
import { targetName } from "@/app/_data/memory/block-words";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { ProposalWire } from "@/lib/chat/wire/memory";

export interface ProposalEditorProps {
  proposal: ProposalWire;
  isBusy: boolean;
  save?: string;
  onSave: (content: string) => void;
  onCancel: () => void;
}

export function ProposalEditor({
  proposal,
  isBusy,
  save = "Save",
  onSave,
  onCancel,
}: ProposalEditorProps) {
  const [text, setText] = useKeptState(`proposal/${proposal.id}/text`, proposal.after);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) onSave(text);
  }

  return (
    <div className="flex flex-col gap-2">
      <Textarea
        ref={field}
        rows={3}
        maxRows={16}
        dir="auto"
        aria-label={`Text of ${targetName(proposal)}, edited`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" busy={isBusy} onClick={() => onSave(text)}>
          {save}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
