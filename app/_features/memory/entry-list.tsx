"use client";

import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { blockTitle } from "@/app/_data/memory/block-words";
import { Input } from "@/app/_ui/fields";
import { countOf } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { useDebounced } from "@/app/_ui/use-debounced";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { EntryForm } from "./entry-form";
import { EntryRow } from "./entry-row";
import { KnowledgeAdding } from "./knowledge-adding";
import { SkillAdding } from "./skill-adding";
import { useEntries, useEntryActions } from "./use-entries";
import { usedAs } from "./used-mark";
import { EntryHistory } from "./version-history";

export interface EntryListProps {
  /** `null` outside any session. */
  sessionId: BlockScope;
  block: BlockWire;
  uses?: readonly UseWire[];
  onOpenLeaf: (messageId: string) => void;
}

const searchFrom = 3;
const quietMs = 200;

type OpenEntry = { view: "form" | "history"; entry: EntryDocumentWire } | { view: "new" } | null;

export function EntryList({ sessionId, block, uses = [], onOpenLeaf }: EntryListProps) {
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<OpenEntry>(null);
  const isSkill = block.kind === "loadable";
  const Adding = isSkill ? SkillAdding : KnowledgeAdding;
  const close = () => setOpen(null);
  return (
    <div className="flex flex-col gap-2.5">
      {(block.entryCount ?? 0) >= searchFrom && (
        <Input
          type="search"
          aria-label={`Search ${block.isOwn ? blockTitle(block.label) : block.label}`}
          placeholder="Search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <Adding sessionId={sessionId} blockId={block.id} onNew={() => setOpen({ view: "new" })}>
        <Entries sessionId={sessionId} block={block} query={query} uses={uses} onOpen={setOpen} />
      </Adding>
      {open?.view === "history" && (
        <EntryHistory
          sessionId={sessionId}
          blockId={block.id}
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
  const entries = useEntries(sessionId, block.id, settled);
  const actions = useEntryActions(sessionId, block);
  if (entries.isError) {
    return (
      <ErrorNotice onRetry={() => void entries.refetch()} retrying={entries.isFetching}>
        {errorSentence(entries.error)}
      </ErrorNotice>
    );
  }
  if (!entries.data) return <ListSkeleton label="Loading entries" rows={2} />;
  if (entries.data.length === 0) return <NoEntries block={block} query={settled} />;
  const row = (entry: EntryDocumentWire) => (
    <EntryRow
      entry={entry}
      isLoadable={block.kind === "loadable" && sessionId !== null}
      use={usedAs(uses, block.label, entry.key)}
      actions={actions}
      onEdit={() => onOpen({ view: "form", entry })}
      onHistory={() => onOpen({ view: "history", entry })}
    />
  );
  const groups =
    settled === ""
      ? withFiles(entries.data)
      : entries.data.map((entry) => ({ entry, files: [] as EntryDocumentWire[] }));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
      {groups.map(({ entry, files }) => (
        <li key={entry.key}>
          {row(entry)}
          {files.length > 0 && (
            <details className="pb-2.5">
              <summary className="w-fit cursor-pointer rounded-xs text-faint text-xs">
                {countOf(files.length, "file")}
              </summary>
              <ul aria-label={`Files of ${entry.title}`} className="ml-3 border-line border-l pl-3">
                {files.map((file) => (
                  <li key={file.key}>{row(file)}</li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function NoEntries({ block, query }: { block: BlockWire; query: string }) {
  if (query !== "") return <p className="text-faint text-sm">No results for “{query}”.</p>;
  return (
    <p className="text-faint text-sm">
      {block.kind === "loadable"
        ? "No skills yet. Add instructions the model can load when needed."
        : "Nothing here yet. Add notes or files for the model to search."}
    </p>
  );
}

export interface EntryWithFiles {
  readonly entry: EntryDocumentWire;
  readonly files: readonly EntryDocumentWire[];
}

/** Groups files under the skill whose key is their prefix; every entry appears once, in order. */
export function withFiles(entries: readonly EntryDocumentWire[]): EntryWithFiles[] {
  const skillOf = new Map(
    entries.map(({ key }) => [key, entries.find((other) => key.startsWith(`${other.key}/`))?.key]),
  );
  return entries
    .filter(({ key }) => skillOf.get(key) === undefined)
    .map((entry) => ({
      entry,
      files: entries.filter(({ key }) => skillOf.get(key) === entry.key),
    }));
}
