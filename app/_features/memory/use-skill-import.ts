"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import { rereadMemory } from "@/app/_data/memory/use-blocks";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { toastDone } from "@/app/_ui/toast";
import type { FoundFiles } from "./skill-import/found-file";
import {
  filesToWrite,
  type ImportPlan,
  type PlannedFile,
  planImport,
  skillsToWrite,
  type WritableSkill,
} from "./skill-import/import-plan";
import {
  filesOfDrop,
  filesOfInput,
  findSkills,
  type PickedFile,
} from "./skill-import/picked-files";
import { readEntries, writeEntry } from "./use-entries";

export interface Importing {
  readonly noun: "skill" | "assistant";
  readonly none: string;
  readonly find: (picked: readonly PickedFile[]) => Promise<FoundFiles>;
  readonly plan: typeof planImport;
}

export const skillImporting: Importing = {
  ...{ noun: "skill", none: "No SKILL.md found." },
  ...{ find: findSkills, plan: planImport },
};

export type SkillImport =
  | { readonly phase: "idle" }
  | { readonly phase: "reading" }
  | { readonly phase: "unreadable"; readonly problem: string }
  | { readonly phase: "review"; readonly plan: ImportPlan }
  | { readonly phase: "writing"; readonly plan: ImportPlan; readonly done: number }
  | { readonly phase: "failed"; readonly written: number; readonly problems: readonly string[] };

export function useSkillImport(
  scope: MemoryScope,
  blockId: string,
  { noun, find, plan: planOf }: Importing = skillImporting,
) {
  const client = useQueryClient();
  const [state, setState] = useState<SkillImport>({ phase: "idle" });

  async function review(pick: () => Promise<PickedFile[] | null> | PickedFile[]) {
    setState({ phase: "reading" });
    try {
      const picked = await pick();
      if (picked === null) {
        setState({ phase: "unreadable", problem: "An import can contain up to 20,000 files." });
        return;
      }
      const [found, known] = await Promise.all([find(picked), readEntries(scope, blockId)]);
      setState({ phase: "review", plan: planOf(found, known) });
    } catch (error) {
      setState({ phase: "unreadable", problem: errorSentence(error) });
    }
  }

  async function write(plan: ImportPlan) {
    setState({ phase: "writing", plan, done: 0 });
    const [skills, files] = [skillsToWrite(plan), filesToWrite(plan)];
    const problems: string[] = [];
    const put = async (entry: WritableSkill | PlannedFile): Promise<boolean> => {
      try {
        const { key, ...change } = changeOf(blockId, entry);
        // The server gives a new assistant a key that no other one had.
        const isNewAssistant = noun === "assistant" && entry.seenVersion === null;
        await writeEntry(scope, isNewAssistant ? change : { key, ...change });
        return true;
      } catch (error) {
        problems.push(`“${isolated(entry.title)}” was not imported. ${errorSentence(error)}`);
        return false;
      }
    };
    let written = 0;
    // Files come first, so that a skill only appears when complete.
    for (const file of files) await put(file);
    for (const [done, skill] of skills.entries()) {
      setState({ phase: "writing", plan, done });
      if (await put(skill)) written++;
    }
    await rereadMemory(client);
    if (problems.length > 0) {
      setState({ phase: "failed", written, problems });
      return;
    }
    setState({ phase: "idle" });
    toastDone(importedWords(noun, skills.length, files.length));
  }

  return {
    state,
    pickFiles: (files: FileList | null) => {
      // Resetting the input empties its list.
      const picked = filesOfInput(files);
      if (picked.length > 0) void review(() => picked);
    },
    drop: (transfer: DataTransfer) => {
      const picking = filesOfDrop(transfer);
      void review(() => picking);
    },
    write: (plan: ImportPlan) => void write(plan),
    close: () => setState({ phase: "idle" }),
  };
}

function changeOf(
  blockId: string,
  { key, title, description, content, seenVersion }: WritableSkill | PlannedFile,
) {
  return {
    blockId,
    key,
    title,
    content,
    description: description ?? "",
    expectedVersion: seenVersion,
  };
}

function importedWords(noun: string, skills: number, files: number): string {
  const parts = [
    ...(skills > 0 ? [countOf(skills, noun)] : []),
    ...(files > 0 ? [countOf(files, "file")] : []),
  ];
  return `${parts.join(" and ")} imported.`;
}
