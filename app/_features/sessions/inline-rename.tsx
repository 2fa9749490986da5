"use client";

import { useState } from "react";
import { classNames } from "@/app/_ui/class-names";
import { usePasteLimit } from "@/app/_ui/use-paste-limit";

const maxLength = 200;

export interface InlineRenameProps {
  title: string;
  onRename: (title: string) => void;
  onDone: () => void;
  className?: string;
}

export function InlineRename({ title, onRename, onDone, className }: InlineRenameProps) {
  const [text, setText] = useState(title);
  const { note, noteId, onPaste, onInput } = usePasteLimit(maxLength);

  const finish = () => {
    const next = text.trim();
    if (next !== "" && next !== title) onRename(next);
    onDone();
  };

  return (
    <div className="relative">
      <input
        aria-label="Title"
        value={text}
        maxLength={maxLength}
        onPaste={onPaste}
        onInput={onInput}
        {...(noteId && { "aria-describedby": noteId })}
        ref={focusAndSelect}
        onChange={(event) => setText(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") finish();
          if (event.key === "Escape") onDone();
        }}
        className={classNames(
          "w-full min-w-0 rounded-sm bg-raised px-1.5 outline-2 outline-accent/60 outline-offset-0",
          className,
        )}
      />
      {note && (
        <div className="absolute inset-x-0 top-full z-10 mt-1 min-w-60 rounded-md border border-line bg-raised px-2 shadow-float">
          {note}
        </div>
      )}
    </div>
  );
}

function focusAndSelect(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
