"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { countOf } from "@/app/_components/drawer/format-amount";
import { ListSkeleton } from "@/app/_components/drawer/list-skeleton";
import { Button } from "@/app/_components/ui/button";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { Input } from "@/app/_components/ui/input";
import { errorSentence } from "@/app/_hooks/api/api-error";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import { useDebounced } from "@/app/_hooks/api/use-debounced";
import { useEntries } from "@/app/_hooks/api/use-entries";
import { useEntryActions } from "@/app/_hooks/drawer/use-entry-actions";
import { useImportFiles } from "@/app/_hooks/drawer/use-import-files";
import type { BlockWire, EntryDocumentWire, UseWire } from "@/lib/chat/wire";
import { EntryForm } from "./entry-form";
import { EntryHistory } from "./entry-history";
import { EntryRow } from "./entry-row";
import { knowledgeFromFile, skillFromFile } from "./file-entry";
import { ImportButton } from "./import-button";
import { usedAs } from "./used-mark";

export interface EntryListProps {
  /** Whose view of memory this is; `null` outside any session. */
  sessionId: BlockScope;
  block: BlockWire;
  /** What the latest answer in view used. */
  uses?: readonly UseWire[];
  onOpenLeaf: (messageId: string) => void;
}

/** From here on a list is long enough to be searched rather than read. */
const searchFrom = 3;
const quietMs = 200;

type OpenEntry = { view: "form" | "history"; entry: EntryDocumentWire } | { view: "new" } | null;

/** The entries of a keyed block: skills, or knowledge. */
export function EntryList({ sessionId, block, uses = [], onOpenLeaf }: EntryListProps) {
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<OpenEntry>(null);
  const isSkill = block.kind === "loadable";
  const close = () => setOpen(null);
  return (
    <div className="flex flex-col gap-2.5">
      {(block.entryCount ?? 0) >= searchFrom && (
        <Input
          type="search"
          aria-label={isSkill ? "Search skills" : "Search knowledge"}
          placeholder="Search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <Entries sessionId={sessionId} block={block} query={query} uses={uses} onOpen={setOpen} />
      <EntryAdding sessionId={sessionId} block={block} onNew={() => setOpen({ view: "new" })} />
      {open?.view === "history" && (
        <EntryHistory
          sessionId={sessionId}
          label={block.label}
          entry={open.entry}
          onClose={close}
          onOpenLeaf={onOpenLeaf}
        />
      )}
      {(open?.view === "form" || open?.view === "new") && (
        <EntryForm
          sessionId={sessionId}
          block={block}
          entry={open.view === "form" ? open.entry : null}
          onClose={close}
        />
      )}
    </div>
  );
}

interface EntriesProps {
  sessionId: BlockScope;
  block: BlockWire;
  query: string;
  uses: readonly UseWire[];
  onOpen: (open: OpenEntry) => void;
}

function Entries({ sessionId, block, query, uses, onOpen }: EntriesProps) {
  const settled = useDebounced(query.trim(), quietMs);
  const entries = useEntries(sessionId, block.label, settled);
  const actions = useEntryActions(sessionId, block.label);
  if (entries.isError) {
    return (
      <ErrorNotice onRetry={() => void entries.refetch()} retrying={entries.isFetching}>
        {errorSentence(entries.error)}
      </ErrorNotice>
    );
  }
  if (!entries.data) return <ListSkeleton label="Reading entries" rows={2} />;
  if (entries.data.length === 0) return <NoEntries block={block} query={settled} />;
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
      {entries.data.map((entry) => (
        <EntryRow
          key={entry.key}
          entry={entry}
          isLoadable={block.kind === "loadable" && sessionId !== null}
          use={usedAs(uses, block.label, entry.key)}
          actions={actions}
          onEdit={() => onOpen({ view: "form", entry })}
          onHistory={() => onOpen({ view: "history", entry })}
        />
      ))}
    </ul>
  );
}

function NoEntries({ block, query }: { block: BlockWire; query: string }) {
  if (query !== "") return <p className="text-faint text-sm">Nothing matches “{query}”.</p>;
  return (
    <p className="text-faint text-sm">
      {block.kind === "loadable"
        ? "No skills yet. A skill is a page of instructions the model loads when it needs them."
        : "Nothing here yet. Add notes or files, and the model can look things up in them."}
    </p>
  );
}

interface EntryAddingProps {
  sessionId: BlockScope;
  block: BlockWire;
  onNew: () => void;
}

function EntryAdding({ sessionId, block, onNew }: EntryAddingProps) {
  const isSkill = block.kind === "loadable";
  const read = isSkill ? skillFromFile : knowledgeFromFile;
  const { progress, problems, importFiles, forgetProblems } = useImportFiles(
    sessionId,
    block.label,
    read,
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={onNew}>
          <Plus aria-hidden />
          {isSkill ? "New skill" : "Add text"}
        </Button>
        <ImportButton
          accept={isSkill ? ".md,text/markdown" : ".md,.markdown,.txt,.csv,.json,.org,.rst,text/*"}
          busy={progress !== null}
          onFiles={(files) => void importFiles(files)}
        >
          {isSkill ? "Import SKILL.md" : "Import files"}
        </ImportButton>
        {progress && progress.total > 1 && (
          <span role="status" className="text-faint text-xs">
            {progress.done} of {countOf(progress.total, "file")}
          </span>
        )}
      </div>
      {problems.length > 0 && (
        <ErrorNotice onRetry={forgetProblems} retryLabel="Close">
          {problems.join(" ")}
        </ErrorNotice>
      )}
    </>
  );
}
