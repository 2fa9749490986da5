"use client";

import { History, Pencil } from "lucide-react";
import { useEffect, useState } from "react";
import type { MemoryScope } from "@/app/_api/query-keys";
import { blockNote, blockTerms, blockTitle } from "@/app/_data/memory/block-words";
import { readTextDraft } from "@/app/_data/memory/text-draft";
import { IconButton } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import type { UseWire } from "@/lib/chat/wire/context";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { BlockSetupButton } from "./block-dialog";
import { BlockEditor } from "./block-editor";
import { BlockText } from "./block-text";
import { blockDraftKey } from "./use-autosave";
import { UsedMark } from "./used-mark";
import { BlockHistory } from "./version-history";

export interface BlockCardProps {
  sessionId: MemoryScope;
  block: BlockWire;
  use?: UseWire | null;
  onOpenLeaf: (messageId: string) => void;
}

export function BlockCard({ sessionId, block, use = null, onOpenLeaf }: BlockCardProps) {
  const [isEditing, setEditing] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const draftKey = blockDraftKey(sessionId, block);
  useEffect(() => {
    // Editing opens after a reload, so that an unsaved draft is visible.
    if (readTextDraft(draftKey)) setEditing(true);
  }, [draftKey]);

  const title = blockTitle(block.label);
  return (
    <article
      aria-label={title}
      className="flex flex-col gap-2.5 rounded-lg border border-line bg-raised p-3.5"
    >
      <header className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <h3 className="flex flex-wrap items-center gap-2 font-medium text-sm">
            <span className="truncate">{title}</span>
            {use && <UsedMark use={use} />}
          </h3>
        </div>
        <BlockSetupButton sessionId={sessionId} block={block} />
        <IconButton label={`History of ${title}`} onClick={() => setShowsHistory(true)}>
          <History aria-hidden />
        </IconButton>
        <IconButton
          label={`Edit ${title}`}
          className="-mr-1"
          disabled={isEditing || block.error !== null}
          onClick={() => setEditing(true)}
        >
          <Pencil aria-hidden />
        </IconButton>
      </header>
      {block.error ? (
        <ErrorNotice>{block.error}</ErrorNotice>
      ) : (
        <BlockBody
          sessionId={sessionId}
          block={block}
          isEditing={isEditing}
          onEditing={setEditing}
        />
      )}
      {showsHistory && (
        <BlockHistory
          sessionId={sessionId}
          block={block}
          onClose={() => setShowsHistory(false)}
          onOpenLeaf={onOpenLeaf}
        />
      )}
    </article>
  );
}

interface BlockBodyProps {
  sessionId: MemoryScope;
  block: BlockWire;
  isEditing: boolean;
  onEditing: (isEditing: boolean) => void;
}

function BlockBody({ sessionId, block, isEditing, onEditing }: BlockBodyProps) {
  const { tokens, maxTokens } = block;
  const isNearlyFull = maxTokens !== null && tokens / maxTokens >= meterWarnsAt;
  return (
    <>
      {isNearlyFull && <BlockMeter block={block} />}
      {isEditing && (
        <BlockEditor sessionId={sessionId} block={block} onDone={() => onEditing(false)} />
      )}
      {!isEditing && block.content !== "" && (
        <BlockText sessionId={sessionId} block={block} onEdit={() => onEditing(true)} />
      )}
      {!isEditing && block.content === "" && (
        <button
          type="button"
          onClick={() => onEditing(true)}
          className="rounded-md border border-edge/60 border-dashed px-3 py-2.5 text-left text-faint text-sm transition-colors hover:border-edge hover:text-ink"
        >
          {emptyWords(block)}
        </button>
      )}
      <details className="text-faint text-xs">
        <summary className="w-fit cursor-pointer rounded-xs pointer-coarse:py-2 hover:text-ink">
          About this section
        </summary>
        <div className="mt-1.5 flex flex-col gap-1.5">
          <p className="text-muted empty:hidden">{blockNote(block)}</p>
          <p>{blockTerms(block)}</p>
          {!isNearlyFull && <BlockMeter block={block} />}
        </div>
      </details>
    </>
  );
}

function emptyWords({ writers, isOwn }: BlockWire): string {
  if (writers !== "person") return "Nothing here yet. You and the model can both add to it.";
  return isOwn
    ? "Nothing here yet. The model reads this in every message."
    : "Nothing here yet. Tell the model how to behave.";
}

function BlockMeter({ block }: { block: BlockWire }) {
  const { label, tokens, maxTokens } = block;
  if (maxTokens === null) return <p className="text-faint text-xs">{formatTokens(tokens)}</p>;
  const share = tokens / maxTokens;
  return (
    <div className="flex items-center gap-3">
      <Meter
        label={`Space used in ${label}`}
        value={tokens}
        max={maxTokens}
        valueText={`${formatCount(tokens)} of ${formatTokens(maxTokens)}`}
      />
      <span
        className={classNames(
          "shrink-0 text-xs tabular-nums",
          share > 1 ? "text-danger" : share >= meterWarnsAt ? "text-warn" : "text-faint",
        )}
      >
        {formatCount(tokens)} / {formatTokens(maxTokens)}
      </span>
    </div>
  );
}

const meterWarnsAt = 0.8;

interface MeterProps {
  label: string;
  value: number;
  max: number;
  valueText: string;
}

function Meter({ label, value, max, valueText }: MeterProps) {
  const share = max > 0 ? value / max : 0;
  return (
    <div className="h-1.5 w-full overflow-hidden rounded-full bg-line">
      <meter
        className="sr-only"
        aria-label={label}
        min={0}
        max={max}
        value={Math.min(value, max)}
        aria-valuetext={valueText}
      />
      <div
        className={classNames("h-full rounded-full transition-[width] duration-slow", fill(share))}
        style={{ width: `${Math.min(100, share * 100)}%` }}
      />
    </div>
  );
}

function fill(share: number): string {
  if (share > 1) return "bg-danger";
  return share >= meterWarnsAt ? "bg-warn-fill" : "bg-accent";
}
