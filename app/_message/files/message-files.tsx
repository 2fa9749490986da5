"use client";

import { FileText, Paperclip } from "lucide-react";
import { useState } from "react";
import { fileAddress, fileLine, typeName } from "@/app/_data/files/file-words";
import { useSpace } from "@/app/_ui/use-space";
import { type AttachedFile, fileKind } from "@/lib/chat/wire/files";
import { FileViewer } from "./file-viewer-dialog";

export interface MessageFilesProps {
  readonly files: readonly AttachedFile[];
  readonly side: "start" | "end";
}

export function MessageFiles({ files, side }: MessageFilesProps) {
  const [openAt, setOpenAt] = useState<number | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <ul
        aria-label="Files"
        className={`my-2 flex flex-wrap gap-2 ${side === "end" ? "justify-end" : ""}`}
      >
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message's files never change places
          <li key={index} className="min-w-0 max-w-full">
            <FileButton file={file} onOpen={() => setOpenAt(index)} />
          </li>
        ))}
      </ul>
      {openAt !== null && (
        <FileViewer files={files} startAt={openAt} onClose={() => setOpenAt(null)} />
      )}
    </>
  );
}

function FileButton({ file, onOpen }: { file: AttachedFile; onOpen: () => void }) {
  const [isBroken, setIsBroken] = useState(false);
  const space = useSpace();
  const { name, alt, mediaType } = file;
  if (fileKind(file) === "image" && !isBroken) {
    return (
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Open ${alt ?? name}`}
        className="block overflow-hidden rounded-xl border border-line bg-sunken"
      >
        {/* biome-ignore lint/performance/noImgElement: a file of the person's own, which Next does not optimize */}
        <img
          src={fileAddress(file, space)}
          alt={alt ?? name}
          loading="lazy"
          decoding="async"
          {...pictureSize(file)}
          onError={() => setIsBroken(true)}
          className="max-h-60 max-w-full object-cover"
        />
      </button>
    );
  }
  const Icon = fileKind(file) === "other" ? Paperclip : FileText;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex max-w-full items-center gap-2.5 rounded-xl border border-line bg-raised py-2 pr-3.5 pl-2.5 text-left text-sm hover:bg-hover sm:max-w-80"
    >
      <span className="sr-only">Open </span>
      <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-sunken text-muted">
        <Icon aria-hidden className="size-4" />
      </span>
      <span className="flex min-w-0 flex-col">
        <span dir="auto" className="truncate" title={name}>
          {name}
        </span>
        <span className="truncate text-faint text-xs">
          {typeName(mediaType)} · {fileLine(file)}
        </span>
      </span>
    </button>
  );
}

const mostHeight = 240;
const mostWidth = 420;

/** The final size is set early, so that nothing shifts when the picture arrives. */
function pictureSize({ width, height }: AttachedFile): { width?: number; height?: number } {
  if (!width || !height) return {};
  const scale = Math.min(1, mostHeight / height, mostWidth / width);
  return {
    width: Math.max(24, Math.round(width * scale)),
    height: Math.max(24, Math.round(height * scale)),
  };
}
