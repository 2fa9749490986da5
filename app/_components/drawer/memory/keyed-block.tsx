"use client";

import { ErrorNotice } from "@/app/_components/ui/error-notice";
import type { BlockScope } from "@/app/_hooks/api/query-keys";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { blockTitle } from "./block-words";
import { EntryList } from "./entry-list";
import { SourceBlockCard } from "./source-block-card";

export interface KeyedBlockProps {
  /** Whose view of memory this is; `null` outside any session. */
  sessionId: BlockScope;
  block: BlockWire;
  /** What the latest answer in view used. */
  uses?: readonly UseWire[];
  onOpenLeaf: (messageId: string) => void;
}

/**
 * A block of entries: those kept in Grove to edit, those kept elsewhere to look at. One without entries of its own, such
 * as the search over all sessions, only says what it is.
 */
export function KeyedBlock({ sessionId, block, uses = [], onOpenLeaf }: KeyedBlockProps) {
  if (block.origin !== null) return <SourceBlockCard sessionId={sessionId} block={block} />;
  if (block.error) return <ErrorNotice>{block.error}</ErrorNotice>;
  if (block.entryCount === null) {
    return (
      <div className="rounded-lg border border-line bg-raised p-3.5">
        <h3 className="font-medium text-sm">{blockTitle(block.label)}</h3>
        {block.description && <p className="text-muted text-xs">{block.description}</p>}
      </div>
    );
  }
  return <EntryList sessionId={sessionId} block={block} uses={uses} onOpenLeaf={onOpenLeaf} />;
}
