"use client";

import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { readTextFile } from "./skill-import/read-text-file";
import { type EntryChange, useWriteEntry } from "./use-entries";

export type FileEntry =
  | { readonly entry: Omit<EntryChange, "blockId">; readonly problem: null }
  | { readonly entry: null; readonly problem: string };

export interface ImportState {
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** About files that were not added. */
  readonly problems: readonly string[];
}

/** One after another; a refused file does not stop the rest. */
export function useImportFiles(
  sessionId: BlockScope,
  blockId: string,
  entryOf: (fileName: string, text: string) => FileEntry,
) {
  const { mutateAsync } = useWriteEntry(sessionId);
  const [state, setState] = useState<ImportState>({ progress: null, problems: [] });

  async function addFile(file: File): Promise<string | null> {
    const read = await readTextFile(file.name, file);
    if (read.problem !== null) return read.problem;
    const { entry, problem } = entryOf(file.name, read.text);
    if (problem !== null) return problem;
    await mutateAsync({ blockId, ...entry });
    return null;
  }

  async function importFiles(files: readonly File[]) {
    const problems: string[] = [];
    for (const [done, file] of files.entries()) {
      setState({ progress: { done, total: files.length }, problems: [...problems] });
      const problem = await addFile(file).catch((error: unknown) => {
        return `“${file.name}” was not added. ${errorSentence(error)}`;
      });
      if (problem) problems.push(problem);
    }
    setState({ progress: null, problems });
  }

  return {
    ...state,
    importFiles,
    forgetProblems: () => setState({ progress: null, problems: [] }),
  };
}
