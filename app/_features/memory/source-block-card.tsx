"use client";

import { FolderSymlink } from "lucide-react";
import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import { Failure } from "@/app/_api/failure";
import type { MemoryScope } from "@/app/_api/query-keys";
import { blockTitle } from "@/app/_data/memory/block-words";
import { useRereadMemory } from "@/app/_data/memory/use-blocks";
import { Badge } from "@/app/_ui/badge";
import { Dialog } from "@/app/_ui/dialog";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { ListSkeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import { RelativeTime } from "@/app/_ui/relative-time";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { EntryTitle, LoadButton } from "./entry-list";
import { type EntryActions, useEntries, useEntry, useEntryActions } from "./use-entries";

export interface SourceBlockCardProps {
  sessionId: MemoryScope;
  block: BlockWire;
}

export function SourceBlockCard({ sessionId, block }: SourceBlockCardProps) {
  const title = blockTitle(block.label);
  return (
    <article aria-label={title} className="flex flex-col gap-2.5">
      <header>
        <h3 className="flex flex-wrap items-center gap-2 font-medium text-sm">
          {title}
          <Badge>Read only</Badge>
        </h3>
        <p className="flex items-start gap-1.5 text-faint text-xs [overflow-wrap:anywhere]">
          <FolderSymlink aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span>
            <bdi>{block.origin}</bdi>
            {block.error === null && ` · ${countOf(block.entryCount ?? 0, "skill")}`}
          </span>
        </p>
      </header>
      {block.error === null ? (
        <SourceEntries sessionId={sessionId} block={block} />
      ) : (
        <Trouble sentence={block.error} />
      )}
    </article>
  );
}

function SourceEntries({ sessionId, block }: SourceBlockCardProps) {
  const [shown, setShown] = useState<EntryDocumentWire | null>(null);
  const entries = useEntries(sessionId, block.id);
  const actions = useEntryActions(sessionId, block);
  if (entries.isError) return <Trouble sentence={errorSentence(entries.error)} />;
  if (!entries.data) return <ListSkeleton label="Loading skills" rows={2} />;
  if (entries.data.length === 0) {
    return <p className="text-faint text-sm">No SKILL.md in it yet.</p>;
  }
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-3.5">
        {entries.data.map((entry) => (
          <SourceEntryRow
            key={entry.key}
            entry={entry}
            isLoadable={sessionId !== null}
            actions={actions}
            onOpen={() => setShown(entry)}
          />
        ))}
      </ul>
      {shown && (
        <SourceEntryDialog
          blockId={block.id}
          entry={shown}
          origin={block.origin ?? ""}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function Trouble({ sentence }: { sentence: string }) {
  const { reread, isRereading } = useRereadMemory();
  return (
    <ErrorNotice onRetry={reread} retrying={isRereading}>
      {sentence}
    </ErrorNotice>
  );
}

interface SourceEntryRowProps {
  entry: EntryDocumentWire;
  isLoadable: boolean;
  actions: EntryActions;
  onOpen: () => void;
}

function SourceEntryRow({ entry, isLoadable, actions, onOpen }: SourceEntryRowProps) {
  const { description, problem, tokens, updatedAt } = entry;
  return (
    <li className="flex items-start gap-1 py-2.5">
      <div className="min-w-0 flex-1">
        <EntryTitle entry={entry} onOpen={onOpen} />
        {description && <p className="line-clamp-2 text-muted text-xs">{description}</p>}
        {problem === null ? (
          <p className="text-faint text-xs">
            {formatTokens(tokens)} · <RelativeTime at={updatedAt} />
          </p>
        ) : (
          <p className="text-danger text-xs">Cannot be loaded: {problem}</p>
        )}
      </div>
      {isLoadable && problem === null && <LoadButton entry={entry} actions={actions} />}
    </li>
  );
}

interface SourceEntryDialogProps {
  blockId: string;
  entry: EntryDocumentWire;
  origin: string;
  onClose: () => void;
}

function SourceEntryDialog({ blockId, entry, origin, onClose }: SourceEntryDialogProps) {
  const read = useEntry(blockId, entry.key);
  return (
    <Dialog
      onClose={onClose}
      title={entry.title}
      description={`${isolated(entry.description ?? "No description.")} ${isolated(origin)}: it is changed there.`}
      width="lg"
    >
      <Failure of={read} />
      {!read.data && !read.isError && <ListSkeleton label="Loading skill" rows={4} />}
      {read.data && (
        <p dir="auto" className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {read.data.content}
        </p>
      )}
    </Dialog>
  );
}
