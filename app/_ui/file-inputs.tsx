"use client";

import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";

export interface DropAreaProps {
  hint: string;
  onDrop: (transfer: DataTransfer) => void;
  children: ReactNode;
}

/** A button must offer the same without dragging. */
export function DropArea({ hint, onDrop, children }: DropAreaProps) {
  // Entering a child fires before leaving its parent, so they are counted.
  const [depth, setDepth] = useState(0);
  const isOver = depth > 0;
  const handle = (change: (depth: number) => number) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDepth(change);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same for keyboards
    <div
      className={classNames(
        "relative flex flex-col gap-2.5 rounded-lg",
        isOver && "outline-dashed outline-2 outline-accent outline-offset-4",
      )}
      onDragEnter={handle((now) => now + 1)}
      onDragOver={handle((now) => now)}
      onDragLeave={handle((now) => Math.max(0, now - 1))}
      onDrop={(event) => {
        handle(() => 0)(event);
        if (event.dataTransfer.files.length > 0) onDrop(event.dataTransfer);
      }}
    >
      {isOver && <p className="text-accent text-sm">{hint}</p>}
      {children}
    </div>
  );
}

export interface ImportButtonProps {
  children: string;
  icon?: ReactNode;
  accept: string;
  folder?: boolean;
  busy: boolean;
  onFiles: (files: FileList | null) => void;
}

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
