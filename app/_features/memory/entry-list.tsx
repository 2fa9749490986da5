"use client";

import { BookOpenCheck, Ellipsis, History, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import type { MemoryScope } from "@/app/_api/query-keys";
import { blockTitle } from "@/app/_data/memory/block-words";
import { Badge } from "@/app/_ui/badge";
import { Button, IconButton } from "@/app/_ui/button";
import { Input } from "@/app/_ui/fields";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { RelativeTime } from "@/app/_ui/relative-time";
import { useDebounced } from "@/app/_ui/use-debounced";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { type ShownEntries, shownKinds } from "./block-kinds";
import { EntryForm } from "./entry-form";
import { type EntryActions, useEntries, useEntryActions } from "./use-entries";
import { UsedMark, usedAs } from "./used-mark";
import { EntryHistory } from "./version-history";

export interface EntryListProps {
  sessionId: MemoryScope;
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
  const kind = shownKinds[block.kind].entries;
  const close = () => setOpen(null);
  if (!kind) return null;
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
      <kind.Adding sessionId={sessionId} blockId={block.id} onNew={() => setOpen({ view: "new" })}>
        <Entries {...{ sessionId, block, kind, query, uses }} onOpen={setOpen} />
      </kind.Adding>
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
          kind={kind}
          entry={open.view === "form" ? open.entry : null}
          onClose={close}
        />
      )}
    </div>
  );
}

interface EntriesProps {
  sessionId: MemoryScope;
  block: BlockWire;
  kind: ShownEntries;
  query: string;
  uses: readonly UseWire[];
  onOpen: (open: OpenEntry) => void;
}

function Entries({ sessionId, block, kind, query, uses, onOpen }: EntriesProps) {
  const settled = useDebounced(query.trim(), quietMs);
  const entries = useEntries(sessionId, block.id, settled);
  const actions = useEntryActions(sessionId, block);
  if (entries.isError) {
    return <Failure of={entries} />;
  }
  if (!entries.data) return <ListSkeleton label="Loading entries" rows={2} />;
  if (entries.data.length === 0) return <NoEntries kind={kind} query={settled} />;
  const row = (entry: EntryDocumentWire) => (
    <EntryRow
      entry={entry}
      isLoadable={kind.isLoadable && sessionId !== null}
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

function NoEntries({ kind, query }: { kind: ShownEntries; query: string }) {
  const words = query === "" ? kind.none : `No results for “${query}”.`;
  return <p className="text-faint text-sm">{words}</p>;
}

export interface EntryWithFiles {
  readonly entry: EntryDocumentWire;
  readonly files: readonly EntryDocumentWire[];
}

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

interface EntryRowProps {
  entry: EntryDocumentWire;
  isLoadable: boolean;
  use: UseWire | null;
  actions: EntryActions;
  onEdit: () => void;
  onHistory: () => void;
}

function EntryRow({ entry, isLoadable, use, actions, onEdit, onHistory }: EntryRowProps) {
  return (
    <div className="flex items-start gap-1 py-2.5">
      <div className="min-w-0 flex-1">
        <EntryTitle entry={entry} use={use} onOpen={onEdit} />
        {entry.description && (
          <p className="line-clamp-2 text-muted text-xs">{entry.description}</p>
        )}
        <p className="text-faint text-xs">
          {formatTokens(entry.tokens)} · <RelativeTime at={entry.updatedAt} />
        </p>
      </div>
      {isLoadable && <LoadButton entry={entry} actions={actions} />}
      <Menu
        trigger={
          <IconButton label={`Actions for ${entry.title}`} tooltip="none">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuItem icon={<History aria-hidden />} onSelect={onHistory}>
          History
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => actions.remove(entry)}>
          Delete
        </MenuItem>
      </Menu>
    </div>
  );
}

interface EntryTitleProps {
  readonly entry: EntryDocumentWire;
  readonly use?: UseWire | null;
  readonly onOpen: () => void;
}

export function EntryTitle({ entry, use = null, onOpen }: EntryTitleProps) {
  return (
    <p className="flex items-center gap-2 font-medium text-sm">
      {entry.problem === null ? (
        <button
          type="button"
          onClick={onOpen}
          className="min-w-0 truncate rounded-xs text-left underline-offset-4 hover:underline"
        >
          {entry.title}
        </button>
      ) : (
        <span className="min-w-0 truncate">{entry.key}</span>
      )}
      {use && <UsedMark use={use} />}
      {entry.loaded && (
        <Badge tone="accent">
          <BookOpenCheck aria-hidden /> Loaded
        </Badge>
      )}
    </p>
  );
}

export function LoadButton({ entry, actions }: Pick<EntryRowProps, "entry" | "actions">) {
  const { key, title, loaded } = entry;
  return (
    <Button
      size="sm"
      variant="ghost"
      busy={actions.loadingKey === key}
      aria-label={`${loaded ? "Unload" : "Load"} ${title}`}
      onClick={() => actions.setLoaded(entry, !loaded)}
    >
      {loaded ? "Unload" : "Load"}
    </Button>
  );
}
