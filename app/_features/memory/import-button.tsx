"use client";

import { FileUp } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button } from "@/app/_ui/button";

export interface ImportButtonProps {
  children: string;
  icon?: ReactNode;
  accept: string;
  folder?: boolean;
  busy: boolean;
  onFiles: (files: FileList | null) => void;
}

/** Files are read in the browser. */
export function ImportButton({
  children,
  icon = <FileUp aria-hidden />,
  accept,
  folder = false,
  busy,
  onFiles,
}: ImportButtonProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" busy={busy} onClick={() => inputRef.current?.click()}>
        {!busy && icon}
        {children}
      </Button>
      <input
        ref={inputRef}
        type="file"
        hidden
        multiple
        {...(folder ? { webkitdirectory: "" } : { accept })}
        aria-label={children}
        onChange={({ target }) => {
          onFiles(target.files);
          // Choosing the same file again must fire a change event.
          target.value = "";
        }}
      />
    </>
  );
}
