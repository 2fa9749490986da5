"use client";

import { FileDown } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { readKinds } from "@/app/_data/files/file-words";

type Taker = (files: readonly File[]) => void;

const takers: Taker[] = [];

export function useDroppedFiles(take: Taker): void {
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const taker: Taker = (files) => onFiles(files);
    takers.push(taker);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
    };
  }, []);
}

/** A browser opens a file dropped on a page that takes none, and the typed text is gone. */
export function FileDrop() {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      if (event.defaultPrevented) return setIsOver(false);
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = takers.length > 0 ? "copy" : "none";
      setIsOver(takers.length > 0);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      takers.at(-1)?.([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-scrim p-6"
    >
      <div className="flex items-center gap-3 rounded-xl border-2 border-accent border-dashed bg-raised px-6 py-5 shadow-dialog">
        <FileDown aria-hidden className="size-5 shrink-0 text-accent" />
        <div>
          <p className="font-medium text-ink">Drop files to attach them</p>
          <p className="text-muted text-sm">{readKinds}</p>
        </div>
      </div>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}
