"use client";

import { createStore, useStore } from "@/app/_ui/store";
import type { AttachedFile } from "@/lib/chat/wire/files";
import { FileViewer } from "./file-viewer-dialog";

interface OpenedFile {
  readonly file: AttachedFile;
  /** From 1. */
  readonly page: number;
}

/** A file opened from elsewhere than its message, such as a search. */
export const openedFile = createStore<OpenedFile | null>(null);

export function OpenedFileViewer() {
  const opened = useStore(openedFile);
  if (!opened) return null;
  const { file, page } = opened;
  return <FileViewer files={[file]} page={page} onClose={() => openedFile.update(() => null)} />;
}
