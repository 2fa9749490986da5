"use client";

import { Command } from "cmdk";
import { Search, X } from "lucide-react";
import { shellStore } from "@/app/_shell/shell-store";
import { IconButton } from "@/app/_ui/button";
import { Spinner } from "@/app/_ui/loading";
import { usePasteLimit } from "@/app/_ui/use-paste-limit";

const maxLength = 500;

export interface PaletteInputProps {
  query: string;
  onChange: (query: string) => void;
  isSearching: boolean;
}

export function PaletteInput({ query, onChange, isSearching }: PaletteInputProps) {
  const { note, noteId, onPaste, onInput } = usePasteLimit(maxLength);
  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-3 border-line border-b pr-2 pl-4.5">
        <span className="flex size-4.5 items-center justify-center text-faint">
          {isSearching ? <Spinner /> : <Search aria-hidden className="size-4.5" />}
        </span>
        <Command.Input
          value={query}
          onValueChange={onChange}
          maxLength={maxLength}
          onPaste={onPaste}
          onInput={onInput}
          {...(noteId && { "aria-describedby": noteId })}
          placeholder="Search messages, memory and commands"
          className="h-full min-w-0 flex-1 bg-transparent text-base outline-none"
        />
        <IconButton
          label="Close"
          tooltip="none"
          onClick={shellStore.closeOverlay}
          className="sm:hidden"
        >
          <X aria-hidden />
        </IconButton>
      </div>
      {note && <div className="px-4.5 pt-1">{note}</div>}
    </>
  );
}
