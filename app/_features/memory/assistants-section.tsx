"use client";

import { useMutation } from "@tanstack/react-query";
import { Download, Ellipsis, FolderUp, History, Plus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { assistantLabel, useAssistants } from "@/app/_data/assistants/use-assistants";
import { useWriteAssistant } from "@/app/_data/assistants/write-assistant";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button, IconButton } from "@/app/_ui/button";
import { DropArea, ImportButton } from "@/app/_ui/file-inputs";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";
import { saveFile } from "@/app/_ui/save-file";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import {
  type AssistantsWire,
  assistantProblem,
  assistantsLabel,
  readAssistant,
} from "@/lib/chat/wire/assistants";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { AssistantForm } from "./assistant-form";
import { findAssistants, planAssistants, zipOfAssistants } from "./skill-import/assistant-import";
import { SkillImportDialog } from "./skill-import-dialog";
import { useEntries, useEntryActions } from "./use-entries";
import { type Importing, useSkillImport } from "./use-skill-import";
import { EntryHistory } from "./version-history";

export function AssistantsSection() {
  const assistants = useAssistants();
  // Reading the list stores those that come with Grove.
  if (!assistants.data) return <SectionPending query={assistants} />;
  return (
    <SettingsSection
      title="Assistants"
      note="How to answer: instructions, with a model, tools and skills. Choose one in the model menu."
    >
      <Assistants deleted={assistants.data.deleted} />
    </SettingsSection>
  );
}

const importing: Importing = {
  ...{ noun: "assistant", none: "No Markdown file found." },
  ...{ find: findAssistants, plan: planAssistants },
};

const block = { id: assistantsLabel, label: assistantsLabel };

type Open =
  | { view: "form"; entry: EntryDocumentWire | null }
  | { view: "history"; entry: EntryDocumentWire };

function Assistants({ deleted }: Pick<AssistantsWire, "deleted">) {
  const router = useRouter();
  const entries = useEntries(null, assistantsLabel);
  const actions = useEntryActions(null, block);
  const { state, pickFiles, drop, write, close } = useSkillImport(null, assistantsLabel, importing);
  const [open, setOpen] = useState<Open | null>(null);
  if (!entries.data) return <SectionPending query={entries} />;
  const isBusy = state.phase === "reading";
  return (
    <DropArea hint="Drop Markdown files, a folder or a zip archive to import them." onDrop={drop}>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => setOpen({ view: "form", entry: null })}>
          <Plus aria-hidden />
          New assistant
        </Button>
        <ImportButton accept=".md,.markdown,.zip" busy={isBusy} onFiles={pickFiles}>
          Import files
        </ImportButton>
        <ImportButton
          folder
          icon={<FolderUp aria-hidden />}
          accept=""
          busy={isBusy}
          onFiles={pickFiles}
        >
          Import folder
        </ImportButton>
        {entries.data.length > 0 && <ExportAll entries={entries.data} />}
      </div>
      <SettingsCard>
        {entries.data.map((entry) => (
          <AssistantLine
            key={entry.key}
            entry={entry}
            onEdit={() => setOpen({ view: "form", entry })}
            onHistory={() => setOpen({ view: "history", entry })}
            onDelete={() => actions.remove(entry)}
          />
        ))}
      </SettingsCard>
      {deleted.length > 0 && <Deleted deleted={deleted} />}
      <SkillImportDialog state={state} importing={importing} onImport={write} onClose={close} />
      {open?.view === "form" && <AssistantForm entry={open.entry} onClose={() => setOpen(null)} />}
      {open?.view === "history" && (
        <EntryHistory
          sessionId={null}
          blockId={assistantsLabel}
          entry={open.entry}
          onClose={() => setOpen(null)}
          onOpenLeaf={() => router.push(inSpace("/"))}
        />
      )}
    </DropArea>
  );
}

function ExportAll({ entries }: { entries: readonly EntryDocumentWire[] }) {
  const saving = useMutation({
    mutationFn: async () => saveFile("assistants.zip", await zipOfAssistants(entries)),
    onError: toastError,
  });
  return (
    <Button
      size="sm"
      icon={<Download aria-hidden />}
      busy={saving.isPending}
      onClick={() => saving.mutate()}
    >
      Export all
    </Button>
  );
}

interface AssistantLineProps {
  readonly entry: EntryDocumentWire;
  readonly onEdit: () => void;
  readonly onHistory: () => void;
  readonly onDelete: () => void;
}

function AssistantLine({ entry, onEdit, onHistory, onDelete }: AssistantLineProps) {
  const { key, title, content } = entry;
  const problem = assistantProblem(content);
  const { icon, name, description } = readAssistant(problem === null ? content : "", title);
  return (
    <SettingsLine
      title={assistantLabel({ icon, name })}
      note={
        problem === null ? (
          <span className="line-clamp-2">{description}</span>
        ) : (
          <span className="text-danger">{`It cannot be used. ${problem}`}</span>
        )
      }
    >
      <Button size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`} tooltip="none">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<History aria-hidden />} onSelect={onHistory}>
          History
        </MenuItem>
        <MenuItem icon={<Download aria-hidden />} onSelect={() => saveFile(`${key}.md`, content)}>
          Export
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={onDelete}>
          Delete
        </MenuItem>
      </Menu>
    </SettingsLine>
  );
}

function Deleted({ deleted }: Pick<AssistantsWire, "deleted">) {
  const writing = useWriteAssistant();
  return (
    <SettingsGroup title="Deleted" note="These came with Grove.">
      <SettingsCard>
        {deleted.map(({ key, name, text }) => (
          <SettingsLine key={key} title={name}>
            <Button
              size="sm"
              aria-label={`Restore ${name}`}
              onClick={() =>
                writing.mutate(
                  { key, title: name, content: text, expectedVersion: null },
                  { onError: toastError },
                )
              }
            >
              Restore
            </Button>
          </SettingsLine>
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}
