import { createStore } from "@/app/_ui/store";
import type { AttachedFile } from "@/lib/chat/wire/files";

interface OpenedFile {
  readonly file: AttachedFile;
  /** From 1. */
  readonly page: number;
}

/** A file opened from elsewhere than its message, such as a search. */
export const openedFile = createStore<OpenedFile | null>(null);
