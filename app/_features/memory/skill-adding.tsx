"use client";

import { FolderUp, Plus } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { DropArea, ImportButton } from "@/app/_ui/file-inputs";
import type { AddingProps } from "./knowledge-adding";
import { SkillImportDialog } from "./skill-import-dialog";
import { useSkillImport } from "./use-skill-import";

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
