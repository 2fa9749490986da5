"use client";

import { openedFile } from "@/app/_data/files/opened-file";
import { useStore } from "@/app/_ui/store";
import { FileViewer } from "./file-viewer-dialog";

export function OpenedFileViewer() {
  const opened = useStore(openedFile);
  if (!opened) return null;
  const { file, page } = opened;
  return <FileViewer files={[file]} page={page} onClose={() => openedFile.update(() => null)} />;
}
