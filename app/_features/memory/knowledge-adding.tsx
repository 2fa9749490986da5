"use client";

import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { BlockScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { DropArea } from "./drop-area";
import { knowledgeFromFile } from "./file-entry";
import { ImportButton } from "./import-button";
import { ImportProblems } from "./import-problems";
import { useImportFiles } from "./use-import-files";

export interface AddingProps {
  sessionId: BlockScope;
  blockId: string;
  onNew: () => void;
  children: ReactNode;
}

export function KnowledgeAdding({ sessionId, blockId, onNew, children }: AddingProps) {
  const { progress, problems, importFiles, forgetProblems } = useImportFiles(
    sessionId,
    blockId,
    knowledgeFromFile,
  );
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
          Import files
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
