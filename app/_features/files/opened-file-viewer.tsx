"use client";

import { openedFile } from "@/app/_data/files/opened-file";
import { FileViewer } from "@/app/_message/files/file-viewer-dialog";
import { useStore } from "@/app/_ui/store";

export function OpenedFileViewer() {
  const opened = useStore(openedFile);
  if (!opened) return null;
  const { file, page } = opened;
  return <FileViewer files={[file]} page={page} onClose={() => openedFile.update(() => null)} />;
}
