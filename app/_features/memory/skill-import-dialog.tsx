"use client";

import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { countOf } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import {
  filesToWrite,
  type ImportPlan,
  type PlannedFile,
  type PlannedSkill,
  skillsToWrite,
} from "./skill-import/import-plan";
import { type Importing, type SkillImport, skillImporting } from "./use-skill-import";

export interface SkillImportDialogProps {
  state: SkillImport;
  importing?: Importing;
  onImport: (plan: ImportPlan) => void;
  onClose: () => void;
}

const statuses = {
  new: { word: "New", tone: "accent" },
  replaces: { word: "Replaces", tone: "warn" },
  unchanged: { word: "Unchanged", tone: "neutral" },
  invalid: { word: "Not imported", tone: "danger" },
} as const;

const mostSentences = 50;

export function SkillImportDialog(props: SkillImportDialogProps) {
  const { state, importing = skillImporting, onClose } = props;
  if (state.phase === "idle" || state.phase === "reading") return null;
  const isWriting = state.phase === "writing";
  return (
    <Dialog
      onClose={() => isWriting || onClose()}
      title={`Import ${importing.noun}s`}
      description={descriptionOf(state, importing)}
      width="md"
      footer={<Footer {...props} importing={importing} />}
    >
      {"plan" in state && <Plan plan={state.plan} importing={importing} />}
      {state.phase === "unreadable" && <ErrorNotice>{state.problem}</ErrorNotice>}
      {state.phase === "failed" && <Sentences sentences={state.problems} />}
    </Dialog>
  );
}

function descriptionOf(state: SkillImport, { noun }: Importing): string {
  switch (state.phase) {
    case "review":
      return "Review before importing. Replaced versions stay in the history.";
    case "writing":
      return "Importing…";
    case "failed":
      return `${countOf(state.written, noun)} imported, ${state.problems.length} not.`;
    default:
      return "Nothing was imported.";
  }
}

function Footer({
  state,
  importing: { noun },
  onImport,
  onClose,
}: SkillImportDialogProps & { importing: Importing }) {
  if (!("plan" in state)) return <Button onClick={onClose}>Close</Button>;
  const count = skillsToWrite(state.plan).length;
  const files = filesToWrite(state.plan).length;
  const isNothing = count + files === 0;
  const isWriting = state.phase === "writing";
  return (
    <>
      {isWriting && count > 1 && (
        <span role="status" className="mr-auto self-center text-faint text-xs tabular-nums">
          {state.done} of {countOf(count, noun)}
        </span>
      )}
      <Button onClick={onClose} disabled={isWriting}>
        {isNothing ? "Close" : "Cancel"}
      </Button>
      {!isNothing && (
        <Button variant="primary" busy={isWriting} onClick={() => onImport(state.plan)}>
          Import {count > 0 ? countOf(count, noun) : countOf(files, "file")}
        </Button>
      )}
    </>
  );
}

function Plan({ plan, importing }: { plan: ImportPlan; importing: Importing }) {
  const { noun, none } = importing;
  const { skills, leftOut, leftOutFiles, problems } = plan;
  return (
    <div className="flex flex-col gap-3">
      {problems.length > 0 && <Sentences sentences={problems} />}
      {skills.length === 0 && problems.length === 0 && <p className="text-muted text-sm">{none}</p>}
      {skills.length > 0 && (
        <ul
          aria-label={`${noun === "skill" ? "Skills" : "Assistants"} in this import`}
          className="divide-y divide-line rounded-lg border border-line px-3.5"
        >
          {skills.map((skill) => (
            <PlanRow key={skill.path} skill={skill} />
          ))}
        </ul>
      )}
      {leftOutFiles.length > 0 && (
        <details className="text-faint text-xs">
          <summary className="w-fit cursor-pointer rounded-xs">
            {countOf(leftOutFiles.length, "file")} beside skills will not be imported
          </summary>
          <ul className="mt-1 flex flex-col gap-0.5 [overflow-wrap:anywhere]">
            {leftOutFiles.slice(0, mostSentences).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {leftOutFiles.length > mostSentences && <li>And more.</li>}
          </ul>
        </details>
      )}
      {leftOut > 0 && (
        <p className="text-faint text-xs">
          {countOf(leftOut, "other file")} will not be imported
          {noun === "skill" && ": no skill is in the same folder"}.
        </p>
      )}
    </div>
  );
}

function PlanRow({ skill }: { skill: PlannedSkill }) {
  const { word, tone } = statuses[skill.status];
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-sm">{skill.title}</p>
        <p className="text-muted text-xs [overflow-wrap:anywhere]">
          {skill.status === "invalid" ? skill.problem : skill.description}
        </p>
        <p className="truncate text-faint text-xs">{skill.path}</p>
        {skill.status !== "invalid" && skill.files.length > 0 && (
          <p className="line-clamp-2 text-faint text-xs [overflow-wrap:anywhere]">
            With {countOf(skill.files.length, "file")}: {skill.files.map(fileWords).join(", ")}
          </p>
        )}
      </div>
      <Badge tone={tone}>{word}</Badge>
    </li>
  );
}

function fileWords({ path, status }: PlannedFile): string {
  return status === "new" ? path : `${path} (${status === "replaces" ? "replaced" : "unchanged"})`;
}

function Sentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <div role="alert" className="rounded-lg bg-danger-soft px-3.5 py-2.5 text-danger text-sm">
      <ul className="flex flex-col gap-1">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
