"use client";

import { FolderSymlink } from "lucide-react";
import { useState } from "react";
import { errorSentence } from "@/app/_api/api-error";
import type { BlockScope } from "@/app/_api/query-keys";
import { Badge } from "@/app/_ui/badge";
import { countOf } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { ErrorNotice } from "@/app/_ui/notice";
import type { BlockWire, EntryDocumentWire } from "@/lib/chat/wire/memory";
import { blockTitle } from "./block-words";
import { SourceEntryDialog } from "./source-entry-dialog";
import { SourceEntryRow } from "./source-entry-row";
import { useRereadMemory } from "./use-blocks";
import { useEntries } from "./use-entries";
import { useEntryActions } from "./use-entry-actions";

export interface SourceBlockCardProps {
  /** `null` outside any session. */
  sessionId: BlockScope;
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
            {block.origin}
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
