"use client";

import dynamic from "next/dynamic";
import { createStore, useStore } from "@/app/_ui/store";
import type { AttachedFile } from "@/lib/chat/wire/files";

export const FileViewer = dynamic(() => import("./file-viewer").then((part) => part.FileViewer));

export function OpenedFileViewer() {
  const opened = useStore(openedFile);
  if (!opened) return null;
  const { file, ...place } = opened;
  return <FileViewer files={[file]} {...place} onClose={() => openedFile.update(() => null)} />;
}

interface OpenedFile {
  readonly file: AttachedFile;
  readonly page: number;
  readonly about?: string;
}

export const openedFile = createStore<OpenedFile | null>(null);
