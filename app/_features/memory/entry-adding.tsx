"use client";

import { FolderUp, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { DropArea, ImportButton } from "@/app/_ui/file-inputs";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { importDocument } from "./import-document";
import { readTextFile } from "./skill-import/read-text-file";
import { SkillImportDialog } from "./skill-import-dialog";
import { useWriteEntry } from "./use-entries";
import { useSkillImport } from "./use-skill-import";

export interface AddingProps {
  sessionId: MemoryScope;
  blockId: string;
  onNew: () => void;
  children: ReactNode;
}

export function KnowledgeAdding({ sessionId, blockId, onNew, children }: AddingProps) {
  const { progress, problems, importFiles, forgetProblems } = useImportFiles(sessionId, blockId);
  return (
    <DropArea
      hint="Drop text files to add them."
      onDrop={({ files }) => void importFiles([...files])}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={onNew}>
          <Plus aria-hidden />
          Add text
        </Button>
        <ImportButton
          accept=".md,.markdown,.txt,.csv,.json,.org,.rst,text/*"
          busy={progress !== null}
          onFiles={(files) => void importFiles([...(files ?? [])])}
        >
          Import texts
        </ImportButton>
        {progress && progress.total > 1 && (
          <span role="status" className="text-faint text-xs tabular-nums">
            {progress.done} of {countOf(progress.total, "file")}
          </span>
        )}
      </div>
      {problems.length > 0 && <ImportProblems problems={problems} onClose={forgetProblems} />}
      {children}
    </DropArea>
  );
}

interface ImportProblemsProps {
  problems: readonly string[];
  onClose: () => void;
}

export function ImportProblems({ problems, onClose }: ImportProblemsProps) {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-lg bg-danger-soft px-3.5 py-2.5 text-danger text-sm"
    >
      <ul className="flex min-w-0 flex-1 flex-col gap-1 [overflow-wrap:anywhere]">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <Button size="sm" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

interface ImportState {
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly problems: readonly string[];
}

function useImportFiles(sessionId: MemoryScope, blockId: string) {
  const { mutateAsync } = useWriteEntry(sessionId);
  const [state, setState] = useState<ImportState>({ progress: null, problems: [] });

  async function addFile(file: File): Promise<string | null> {
    const read = await readTextFile(file.name, file);
    if (read.problem !== null) return read.problem;
    const { document, problem } = importDocument(file.name, read.text);
    if (problem !== null) return problem;
    await mutateAsync({ blockId, ...document });
    return null;
  }

  async function importFiles(files: readonly File[]) {
    const problems: string[] = [];
    for (const [done, file] of files.entries()) {
      setState({ progress: { done, total: files.length }, problems: [...problems] });
      const problem = await addFile(file).catch((error: unknown) => {
        return `“${isolated(file.name)}” was not added. ${errorSentence(error)}`;
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

export function SkillAdding({ sessionId, blockId, onNew, children }: AddingProps) {
  const { state, pickFiles, drop, write, close } = useSkillImport(sessionId, blockId);
  const busy = state.phase === "reading";
  return (
    <DropArea hint="Drop SKILL.md files, a folder or a zip archive to import them." onDrop={drop}>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={onNew}>
          <Plus aria-hidden />
          New skill
        </Button>
        <ImportButton
          accept=".md,.markdown,.zip,.skill,text/markdown,application/zip"
          busy={busy}
          onFiles={pickFiles}
        >
          Import file or zip
        </ImportButton>
        <ImportButton
          folder
          icon={<FolderUp aria-hidden />}
          accept=""
          busy={busy}
          onFiles={pickFiles}
        >
          Import folder
        </ImportButton>
      </div>
      <SkillImportDialog state={state} onImport={write} onClose={close} />
      {children}
    </DropArea>
  );
}
