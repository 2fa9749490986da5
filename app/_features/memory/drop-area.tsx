"use client";

import { type DragEvent, type ReactNode, useState } from "react";
import { classNames } from "@/app/_ui/class-names";

export interface DropAreaProps {
  hint: string;
  onDrop: (transfer: DataTransfer) => void;
  children: ReactNode;
}

/** A button offers the same to those who cannot drag. */
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
