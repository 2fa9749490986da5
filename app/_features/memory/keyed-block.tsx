"use client";

import type { ReactNode } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { blockNote, blockTerms, blockTitle } from "@/app/_data/memory/block-words";
import { ErrorNotice } from "@/app/_ui/notice";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockSetupButton } from "./block-dialog";
import { EntryList } from "./entry-list";
import { SourceBlockCard } from "./source-block-card";

export interface KeyedBlockProps {
  sessionId: MemoryScope;
  block: BlockWire;
  uses?: readonly UseWire[];
  onOpenLeaf: (messageId: string) => void;
}

export function KeyedBlock({ sessionId, block, uses = [], onOpenLeaf }: KeyedBlockProps) {
  if (block.origin !== null) return <SourceBlockCard sessionId={sessionId} block={block} />;
  if (block.error) return <ErrorNotice>{block.error}</ErrorNotice>;
  if (block.entryCount === null) {
    return (
      <div className="rounded-lg border border-line bg-raised p-3.5">
        <h3 className="font-medium text-sm">{blockTitle(block.label)}</h3>
        <p className="text-muted text-xs empty:hidden">{blockNote(block)}</p>
      </div>
    );
  }
  const entries = (
    <EntryList sessionId={sessionId} block={block} uses={uses} onOpenLeaf={onOpenLeaf} />
  );
  return block.isOwn ? (
    <OwnEntries sessionId={sessionId} block={block}>
      {entries}
    </OwnEntries>
  ) : (
    entries
  );
}

function OwnEntries({
  sessionId,
  block,
  children,
}: Pick<KeyedBlockProps, "sessionId" | "block"> & { children: ReactNode }) {
  const title = blockTitle(block.label);
  return (
    <article aria-label={title} className="flex flex-col gap-2.5 pt-2">
      <header className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-medium text-sm">{title}</h3>
          <p className="text-muted text-xs empty:hidden">{blockNote(block)}</p>
          <p className="text-faint text-xs">{blockTerms(block)}</p>
        </div>
        <BlockSetupButton sessionId={sessionId} block={block} />
      </header>
      {children}
    </article>
  );
}
