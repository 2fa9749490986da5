"use client";

import { useQueryClient } from "@tanstack/react-query";
import { FolderUp, Trash2 } from "lucide-react";
import { useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import { upload } from "@/app/_api/upload";
import { refusalOf } from "@/app/_data/files/attachments";
import { fileLine, typeName } from "@/app/_data/files/file-words";
import { rereadMemory } from "@/app/_data/memory/use-blocks";
import { openedFile } from "@/app/_message/files/file-viewer-dialog";
import { Button, IconButton } from "@/app/_ui/button";
import { DropArea, ImportButton } from "@/app/_ui/file-inputs";
import { countOf } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { ListSkeleton } from "@/app/_ui/loading";
import { pageSpace } from "@/app/_ui/page-space";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";
import { fileKind } from "@/lib/chat/wire/files";
import { filesLabel } from "@/lib/chat/wire/knowledge";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { ImportProblems } from "./entry-adding";
import { filesOfDrop, filesOfInput, type PickedFile } from "./skill-import/picked-files";
import { useEntries, useEntryActions, writeEntry } from "./use-entries";

const block = { id: filesLabel, label: filesLabel };
const shownAtOnce = 100;

export function KnowledgeFiles() {
  const entries = useEntries(null, filesLabel);
  const actions = useEntryActions(null, block);
  const { progress, problems, add, forgetProblems } = useAddFiles();
  const [shown, setShown] = useState(shownAtOnce);
  const [isAsking, setIsAsking] = useState(false);
  const isBusy = progress !== null || isAsking;
  async function drop(transfer: DataTransfer) {
    setIsAsking(true);
    const picked = await filesOfDrop(transfer).finally(() => setIsAsking(false));
    await add(picked);
  }
  return (
    <SettingsGroup
      title="Files"
      note={
        pageSpace === null
          ? "Documents that models search, read by page and cite. They are not given whole."
          : "Documents that models cite by page: given whole with each message while they fit, else searched."
      }
    >
      <DropArea
        hint="Drop files or a folder to add them."
        onDrop={(transfer) => void drop(transfer)}
      >
        <div className="flex flex-wrap items-center gap-2">
          <ImportButton accept="" busy={isBusy} onFiles={(files) => void add(filesOfInput(files))}>
            Add files
          </ImportButton>
          <ImportButton
            folder
            icon={<FolderUp aria-hidden />}
            accept=""
            busy={isBusy}
            onFiles={(files) => void add(filesOfInput(files))}
          >
            Add folder
          </ImportButton>
          {progress && (
            <span role="status" className="text-faint text-xs tabular-nums">
              {progress.done} of {countOf(progress.total, "file")}
            </span>
          )}
        </div>
        {problems.length > 0 && <ImportProblems problems={problems} onClose={forgetProblems} />}
        {entries.isError && <Failure of={entries} />}
        {entries.isPending && <ListSkeleton label="Loading files" rows={2} />}
        {entries.data && entries.data.length > 0 && (
          <SettingsCard>
            {entries.data.slice(0, shown).map((entry) => (
              <FileLine key={entry.key} entry={entry} onRemove={() => actions.remove(entry)} />
            ))}
          </SettingsCard>
        )}
        {entries.data && entries.data.length > shown && (
          <Button size="sm" className="self-start" onClick={() => setShown(shown + shownAtOnce)}>
            Show more of {countOf(entries.data.length, "file")}
          </Button>
        )}
      </DropArea>
    </SettingsGroup>
  );
}

function FileLine({ entry, onRemove }: { entry: EntryDocumentWire; onRemove: () => void }) {
  const { title, file, problem } = entry;
  return (
    <SettingsLine
      title={
        file ? (
          <button
            type="button"
            dir="auto"
            className="text-left hover:text-accent"
            onClick={() => openedFile.update(() => ({ file: { ...file, name: title }, page: 1 }))}
          >
            {title}
          </button>
        ) : (
          <bdi>{title}</bdi>
        )
      }
      note={
        problem === null && file ? (
          `${typeName(file.mediaType)} · ${fileLine(file)}${file.unread ? " · Being read…" : ""}`
        ) : (
          <span className="text-danger">{problem}</span>
        )
      }
    >
      <IconButton label={`Delete ${title}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </SettingsLine>
  );
}

interface Adding {
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly problems: readonly string[];
}

const uploadsAtOnce = 3;
const mostProblems = 20;
const maxTitle = 200;

function useAddFiles() {
  const client = useQueryClient();
  const [state, setState] = useState<Adding>({ progress: null, problems: [] });

  async function add(picked: readonly PickedFile[] | null) {
    if (picked === null)
      return setState({ progress: null, problems: ["A folder can have up to 20,000 files."] });
    const waiting = picked.filter(({ path }) => !/(^|\/)\./.test(path));
    const total = waiting.length;
    const problems: string[] = [];
    let done = 0;
    const show = () => setState({ progress: { done, total }, problems: [] });
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const problem = await addFile(next).catch(errorSentence);
        if (problem !== null) problems.push(`“${isolated(next.path)}” was not added. ${problem}`);
        done += 1;
        show();
      }
    };
    show();
    await Promise.all(Array.from({ length: uploadsAtOnce }, work));
    const more = problems.length - mostProblems;
    const shown = problems.slice(0, mostProblems);
    setState({
      progress: null,
      problems: more > 0 ? [...shown, `${countOf(more, "more file")} had problems.`] : shown,
    });
    await rereadMemory(client);
  }

  return { ...state, add, forgetProblems: () => setState({ progress: null, problems: [] }) };
}

async function addFile({ path, file }: PickedFile): Promise<string | null> {
  const refusal = refusalOf(file);
  if (refusal !== null) return refusal;
  const stored = await upload("POST /api/files", file, {
    contentType: "application/octet-stream",
    name: file.name,
  });
  if (!["pdf", "text"].includes(fileKind(stored)))
    return "Only text, PDF and office documents can be searched.";
  const entry = { blockId: filesLabel, key: stored.sha256, title: path.slice(-maxTitle) };
  try {
    await writeEntry(null, { ...entry, content: "file", expectedVersion: null });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "block-conflict")) throw error;
  }
  return null;
}
