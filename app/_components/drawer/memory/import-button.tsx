"use client";

import { FileUp } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/app/_components/ui/button";

export interface ImportButtonProps {
  children: string;
  /** What the file picker offers first, such as `.md,.txt`. */
  accept: string;
  busy: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Opens the file picker; the files are read in this browser. */
export function ImportButton({ children, accept, busy, onFiles }: ImportButtonProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" busy={busy} onClick={() => inputRef.current?.click()}>
        {!busy && <FileUp aria-hidden />}
        {children}
      </Button>
      <input
        ref={inputRef}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={children}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Choosing the same file again must be a change too.
          target.value = "";
        }}
      />
    </>
  );
}
