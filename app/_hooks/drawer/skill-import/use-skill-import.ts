"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toastDone } from "@/app/_components/ui/toast";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { rereadMemory } from "@/app/_hooks/api/use-blocks";
import { readEntries, writeEntry } from "@/app/_hooks/api/use-entries";
import { type ImportPlan, planImport, skillsToWrite, type WritableSkill } from "./import-plan";
import { filesOfDrop, filesOfInput, findSkills, type PickedFile } from "./picked-files";

/** Where an import stands. Nothing is written before a person has seen the plan and said so. */
export type SkillImport =
  | { readonly phase: "idle" }
  | { readonly phase: "reading" }
  | { readonly phase: "unreadable"; readonly problem: string }
  | { readonly phase: "review"; readonly plan: ImportPlan }
  | { readonly phase: "writing"; readonly plan: ImportPlan; readonly done: number }
  | { readonly phase: "failed"; readonly written: number; readonly problems: readonly string[] };

/** Importing skills from files, folders and archives: reads, shows what would happen, writes. */
export function useSkillImport(scope: BlockScope, label: string) {
  const client = useQueryClient();
  const [state, setState] = useState<SkillImport>({ phase: "idle" });

  async function review(pick: () => Promise<PickedFile[] | null> | PickedFile[]) {
    setState({ phase: "reading" });
    try {
      const picked = await pick();
      if (picked === null) {
        setState({ phase: "unreadable", problem: "There are more than 20,000 files in this." });
        return;
      }
      const [found, known] = await Promise.all([findSkills(picked), readEntries(scope, label)]);
      setState({ phase: "review", plan: planImport(found, known) });
    } catch (error) {
      setState({ phase: "unreadable", problem: errorSentence(error) });
    }
  }

  async function write(plan: ImportPlan) {
    const skills = skillsToWrite(plan);
    const problems: string[] = [];
    for (const [done, skill] of skills.entries()) {
      setState({ phase: "writing", plan, done });
      await writeEntry(scope, changeOf(label, skill)).catch((error: unknown) => {
        problems.push(`“${skill.title}” was not imported. ${errorSentence(error)}`);
      });
    }
    await rereadMemory(client);
    const written = skills.length - problems.length;
    if (problems.length > 0) {
      setState({ phase: "failed", written, problems });
      return;
    }
    setState({ phase: "idle" });
    toastDone(written === 1 ? "1 skill imported." : `${written} skills imported.`);
  }

  return {
    state,
    pickFiles: (files: FileList | null) => {
      // The list empties itself when the input is reset.
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

/** Writes over exactly the version the plan was shown with. */
function changeOf(label: string, { key, title, description, content, seenVersion }: WritableSkill) {
  return {
    label,
    key,
    title,
    content,
    ...(description !== null && { description }),
    ...(seenVersion !== null && { expectedVersion: seenVersion }),
  };
}
