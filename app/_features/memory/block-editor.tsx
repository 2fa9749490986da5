"use client";

import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { cleanText } from "@/app/_data/chat/clean-text";
import { blockTitle } from "@/app/_data/memory/block-words";
import { Button } from "@/app/_ui/button";
import { Textarea } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { toastUndo } from "@/app/_ui/toast";
import type { BlockWire } from "@/lib/chat/wire/memory";
import type { AutosaveState } from "./autosave-state";
import { ConflictChoice } from "./conflict-choice";
import { useBlockAutosave } from "./use-autosave";

export interface BlockEditorProps {
  sessionId: MemoryScope;
  block: BlockWire;
  onDone: () => void;
}

export function BlockEditor({ sessionId, block, onDone }: BlockEditorProps) {
  const { state, type, keepMine, takeTheirs, discard } = useBlockAutosave(sessionId, block);
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const frameRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    putCaretAtEnd(fieldRef.current);
    // The browser scrolls only the field into view, not its save state below.
    frameRef.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const canClose = state.phase !== "failed" && state.phase !== "conflict";

  function onKeyDown(event: KeyboardEvent) {
    const isCommandEnter = event.key === "Enter" && (event.metaKey || event.ctrlKey);
    if (canClose && (event.key === "Escape" || isCommandEnter)) onDone();
  }

  function takeAndOfferMine() {
    const mine = state.text;
    takeTheirs();
    toastUndo("Your version was discarded.", () => type(mine));
  }

  return (
    <div ref={frameRef} className="flex scroll-my-4 flex-col gap-2">
      <Textarea
        ref={fieldRef}
        rows={4}
        maxRows={20}
        dir="auto"
        aria-label={`Text of ${blockTitle(block.label)}`}
        value={state.text}
        onChange={(event) => type(cleanText(event.target.value).text)}
        onKeyDown={onKeyDown}
      />
      {state.phase === "failed" && (
        <ErrorNotice onRetry={() => type(state.text)}>{state.error}</ErrorNotice>
      )}
      {state.phase === "conflict" && state.theirs && (
        <ConflictChoice
          mine={state.text}
          theirs={state.theirs.content}
          onKeepMine={keepMine}
          onTakeTheirs={takeAndOfferMine}
        />
      )}
      <div className="flex items-center justify-between gap-2">
        <SaveState phase={state.phase} />
        {state.phase === "failed" && (
          <Button size="sm" variant="ghost" onClick={discard}>
            Discard changes
          </Button>
        )}
        {canClose && (
          <Button size="sm" onClick={onDone}>
            Done
          </Button>
        )}
      </div>
    </div>
  );
}

function putCaretAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

function SaveState({ phase }: { phase: AutosaveState["phase"] }) {
  return (
    <span
      role="status"
      className="flex min-h-5 items-center gap-1.5 text-faint text-xs [&_svg]:size-3.5"
    >
      {(phase === "dirty" || phase === "saving") && "Saving…"}
      {phase === "saved" && (
        <>
          <Check aria-hidden className="text-accent" /> Saved
        </>
      )}
    </span>
  );
}
